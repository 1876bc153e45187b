namespace Cluster.Testing.Linearizability;

/// <summary>Records the calls of many threads to registers and their answers, for the
/// <see cref="LinearizabilityChecker"/>. Its clock counts begins and ends, so the order of its times is the order of
/// the events. Thread-safe.</summary>
/// <typeparam name="TKey">The type of the registers' keys.</typeparam>
public sealed class RegisterHistory<TKey>
    where TKey : notnull
{
    private readonly ConcurrentQueue<RegisterCall<TKey>> _calls = new();
    private long _clock;

    /// <summary>The recorded calls. Read them when all callers have finished.</summary>
    public IReadOnlyCollection<RegisterCall<TKey>> Calls => _calls;

    /// <summary>Records that a call begins. Call it immediately before the operation.</summary>
    public RegisterCall<TKey> Begin(TKey key, RegisterOperation operation)
    {
        var call = new RegisterCall<TKey>(this, key, operation, Tick());
        _calls.Enqueue(call);
        return call;
    }

    /// <summary>Adds a call that was recorded elsewhere, with times of a clock that all threads share.</summary>
    /// <param name="key">The key of the register.</param>
    /// <param name="operation">The requested operation.</param>
    /// <param name="result">The answer; null if it is unknown.</param>
    /// <param name="began">The time at which the call began.</param>
    /// <param name="ended">The time at which the answer came; ignored without an answer.</param>
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
