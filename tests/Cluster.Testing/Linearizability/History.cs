namespace Cluster.Testing.Linearizability;

/// <summary>Records the calls of many threads and their answers, for the <see cref="LinearizabilityChecker"/>. Its clock
/// counts begins and ends, so the order of its times is the order of the events. Thread-safe.</summary>
/// <typeparam name="TKey">The type of the keys. Objects of different keys are independent.</typeparam>
/// <typeparam name="TOperation">The type of the requests.</typeparam>
/// <typeparam name="TResult">The type of the answers.</typeparam>
public class History<TKey, TOperation, TResult>
    where TKey : notnull
    where TResult : struct
{
    private readonly ConcurrentQueue<HistoryCall<TKey, TOperation, TResult>> _calls = new();
    private long _clock;

    /// <summary>The recorded calls. Read them when all callers have finished.</summary>
    public IReadOnlyCollection<HistoryCall<TKey, TOperation, TResult>> Calls => _calls;

    /// <summary>Records that a call begins. Call it immediately before the operation.</summary>
    public HistoryCall<TKey, TOperation, TResult> Begin(TKey key, TOperation operation)
    {
        var call = new HistoryCall<TKey, TOperation, TResult>(this, key, operation, Tick());
        _calls.Enqueue(call);
        return call;
    }

    /// <summary>Adds a call that was recorded elsewhere, with times of a clock that all threads share.</summary>
    /// <param name="key">The key of the object.</param>
    /// <param name="operation">The requested operation.</param>
    /// <param name="result">The answer; null if it is unknown.</param>
    /// <param name="began">The time at which the call began.</param>
    /// <param name="ended">The time at which the answer came; ignored without an answer.</param>
    public void Add(TKey key, TOperation operation, TResult? result, long began, long ended)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(ended, began);
        var call = new HistoryCall<TKey, TOperation, TResult>(this, key, operation, began);
        if (result is { } known)
            call.EndAt(ended, known);

        _calls.Enqueue(call);
    }

    internal long Tick() => Interlocked.Increment(ref _clock);
}
