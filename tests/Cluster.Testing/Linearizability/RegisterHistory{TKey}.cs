namespace Cluster.Testing.Linearizability;

/// <summary>Records what many threads asked of registers and got back, for the <see cref="LinearizabilityChecker"/>.
/// Its clock counts begins and ends, so the order in it is the order in which they happened. Safe for many
/// threads.</summary>
/// <typeparam name="TKey">What tells registers apart.</typeparam>
public sealed class RegisterHistory<TKey>
    where TKey : notnull
{
    private readonly ConcurrentQueue<RegisterCall<TKey>> _calls = new();
    private long _clock;

    /// <summary>The calls so far. Ask for them when all callers are done.</summary>
    public IReadOnlyCollection<RegisterCall<TKey>> Calls => _calls;

    /// <summary>Records that a call begins, at once before it is made.</summary>
    public RegisterCall<TKey> Begin(TKey key, RegisterOperation operation)
    {
        var call = new RegisterCall<TKey>(this, key, operation, Tick());
        _calls.Enqueue(call);
        return call;
    }

    /// <summary>Adds a call that was recorded elsewhere, by the times of a clock that all threads share.</summary>
    /// <param name="key">The register.</param>
    /// <param name="operation">What was asked.</param>
    /// <param name="result">What came back; null when that is not known.</param>
    /// <param name="began">When the call began.</param>
    /// <param name="ended">When the answer came; ignored without one.</param>
    public void Add(TKey key, RegisterOperation operation, RegisterResult? result, long began, long ended)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(ended, began);
        var call = new RegisterCall<TKey>(this, key, operation, began);
        if (result is { } known)
            call.EndAt(ended, known);

        _calls.Enqueue(call);
    }

    internal long Tick() => Interlocked.Increment(ref _clock);
}
