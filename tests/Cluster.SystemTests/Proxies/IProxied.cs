using Cluster.Contracts;

namespace Cluster.SystemTests.Proxies;

/// <summary>The contract that tests call through proxies.</summary>
public interface IProxied
{
    /// <summary>Doubles a number.</summary>
    /// <param name="value">The number.</param>
    Task<int> DoubleAsync(int value);

    /// <summary>Returns a number that rises with each call, so that a test notices a call that ran twice.</summary>
    Task<int> NextAsync();

    /// <summary>Returns the same graph.</summary>
    /// <param name="first">One of its stations.</param>
    Task<Station> EchoAsync(Station first);

    /// <summary>Sends numbers from zero on.</summary>
    /// <param name="count">The number of numbers.</param>
    IAsyncEnumerable<int> CountAsync(int count);

    /// <summary>Adds numbers.</summary>
    /// <param name="numbers">The numbers.</param>
    Task<long> SumAsync(IAsyncEnumerable<int> numbers);

    /// <summary>Sends one number at once, and another one when the test completes
    /// <see cref="ProxiedService.Quiet"/>.</summary>
    IAsyncEnumerable<int> QuietAsync();

    /// <summary>Begins, and does not end before it is cancelled.</summary>
    /// <param name="cancellationToken">Ends the call.</param>
    Task HoldAsync(CancellationToken cancellationToken);

    /// <summary>The first call does not end before it is cancelled. Further calls answer at once.</summary>
    /// <param name="cancellationToken">Ends the first call.</param>
    /// <returns>The number of calls that have begun.</returns>
    [Idempotent]
    Task<int> ReadAsync(CancellationToken cancellationToken);
}
