using Cluster.Contracts;

namespace Cluster.SystemTests.Proxies;

/// <summary>The contract that is called through proxies.</summary>
public interface IProxied
{
    /// <summary>Doubles a number.</summary>
    /// <param name="value">The number.</param>
    Task<int> DoubleAsync(int value);

    /// <summary>Counts up: a call that ran twice would be seen.</summary>
    Task<int> NextAsync();

    /// <summary>Gives a graph back.</summary>
    /// <param name="first">One of its stations.</param>
    Task<Station> EchoAsync(Station first);

    /// <summary>Sends numbers from zero on.</summary>
    /// <param name="count">How many.</param>
    IAsyncEnumerable<int> CountAsync(int count);

    /// <summary>Adds numbers.</summary>
    /// <param name="numbers">The numbers.</param>
    Task<long> SumAsync(IAsyncEnumerable<int> numbers);

    /// <summary>Sends one number at once, and another one when the test says so.</summary>
    IAsyncEnumerable<int> QuietAsync();

    /// <summary>Begins, and does not end before it is cancelled.</summary>
    /// <param name="cancellationToken">The caller's.</param>
    Task HoldAsync(CancellationToken cancellationToken);

    /// <summary>The first call does not end before it is cancelled; further ones answer at once.</summary>
    /// <param name="cancellationToken">The caller's.</param>
    /// <returns>How many calls have begun.</returns>
    [Idempotent]
    Task<int> ReadAsync(CancellationToken cancellationToken);
}
