namespace Cluster.Testing.Linearizability;

/// <summary>One operation of a history, from its begin to its end. A <see cref="History{TKey,TOperation,TResult}"/>
/// creates it; the caller ends it at most once. A call that is never ended has an unknown outcome: it may have taken effect at any
/// time since its begin, or never.</summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TOperation">The type of the requests.</typeparam>
/// <typeparam name="TResult">The type of the answers.</typeparam>
public sealed class HistoryCall<TKey, TOperation, TResult>
    where TKey : notnull
    where TResult : struct
{
    private readonly History<TKey, TOperation, TResult> _history;

    internal HistoryCall(History<TKey, TOperation, TResult> history, TKey key, TOperation operation, long began)
    {
        _history = history;
        Key = key;
        Operation = operation;
        Began = began;
    }

    /// <summary>The key of the object.</summary>
    public TKey Key { get; }

    /// <summary>The requested operation.</summary>
    public TOperation Operation { get; }

    /// <summary>The answer; null while the outcome is unknown.</summary>
    public TResult? Result { get; private set; }

    /// <summary>The time at which the call began, on the clock of the history.</summary>
    public long Began { get; }

    /// <summary>The time at which the answer came; <see cref="long.MaxValue"/> while the outcome is unknown.</summary>
    public long Ended { get; private set; } = long.MaxValue;

    /// <summary>Whether an answer came.</summary>
    public bool IsKnown => Ended != long.MaxValue;

    /// <summary>Records the answer. Call it immediately after the answer came.</summary>
    public void End(TResult result) => EndAt(_history.Tick(), result);

    /// <inheritdoc/>
    public override string ToString() => IsKnown
        ? $"[{Began}..{Ended}] {Operation} = {Result}"
        : $"[{Began}..] {Operation} = unknown";

    internal void EndAt(long ended, TResult result)
    {
        if (IsKnown)
            throw new InvalidOperationException($"The call {this} has ended before; every call ends at most once.");

        Result = result;
        Ended = ended;
    }
}
