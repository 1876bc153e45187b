using System.Runtime.ExceptionServices;

namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>The factory of one call, which runs at most once, with what came of it. The load that runs it and the call
/// use it one after the other.</summary>
/// <typeparam name="TState">The argument of the factory.</typeparam>
/// <typeparam name="T">The type of the value.</typeparam>
/// <param name="factory">Makes the value.</param>
/// <param name="state">The argument of the factory.</param>
/// <param name="tags">The tags of the entry.</param>
/// <param name="abandoned">Ends when no caller waits for the value any more.</param>
internal sealed class FactoryRun<TState, T>(
    Func<TState, CancellationToken, ValueTask<T>> factory,
    TState state,
    string[] tags,
    CancellationToken abandoned)
{
    private ExceptionDispatchInfo? _failure;
    private T? _value;
    private bool _hasBegun;

    /// <summary>Whether the factory has made the value.</summary>
    public bool HasValue { get; private set; }

    /// <summary>What the factory has made.</summary>
    public T Value => _value!;

    /// <summary>Throws what the factory has thrown.</summary>
    public void ThrowIfFailed() => _failure?.Throw();

    /// <summary>Makes the entry for the cluster. Where the cluster has a newer entry, it asks again; the factory does
    /// not run again then.</summary>
    /// <param name="generations">The generations of all tags.</param>
    /// <param name="cancellationToken">Ends the reading of the generations.</param>
    public async ValueTask<HybridEntry?> LoadAsync(TagGenerations generations, CancellationToken cancellationToken)
    {
        if (_hasBegun)
            return null;

        // An entry whose tag is removed while the factory runs must not count, so the generations come first.
        var before = await generations.ReadAsync(tags, cancellationToken).ConfigureAwait(false);
        return HybridEntry.Create(await RunAsync().ConfigureAwait(false), tags, before);
    }

    /// <summary>Makes the value, unless the factory has made it.</summary>
    public async ValueTask<T> RunAsync()
    {
        if (HasValue)
            return Value;
        _hasBegun = true;
        try
        {
            _value = await factory(state, abandoned).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            _failure = ExceptionDispatchInfo.Capture(failure);
            throw;
        }

        HasValue = true;
        return Value;
    }
}
