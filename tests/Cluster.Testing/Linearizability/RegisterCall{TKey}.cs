namespace Cluster.Testing.Linearizability;

/// <summary>One operation of a history, from its begin to its end. Made by a <see cref="RegisterHistory{TKey}"/>; ended
/// at most once, by the caller. One that is never ended has an unknown outcome: it may have happened at any time since,
/// or not.</summary>
/// <typeparam name="TKey">What tells registers apart.</typeparam>
public sealed class RegisterCall<TKey>
    where TKey : notnull
{
    private readonly RegisterHistory<TKey> _history;

    internal RegisterCall(RegisterHistory<TKey> history, TKey key, RegisterOperation operation, long began)
    {
        _history = history;
        Key = key;
        Operation = operation;
        Began = began;
    }

    /// <summary>The register.</summary>
    public TKey Key { get; }

    /// <summary>What was asked.</summary>
    public RegisterOperation Operation { get; }

    /// <summary>What came back; means nothing while the outcome is unknown.</summary>
    public RegisterResult Result { get; private set; }

    /// <summary>When the call began, on the clock of the history.</summary>
    public long Began { get; }

    /// <summary>When the answer came; <see cref="long.MaxValue"/> while the outcome is unknown.</summary>
    public long Ended { get; private set; } = long.MaxValue;

    /// <summary>Whether an answer came.</summary>
    public bool IsKnown => Ended != long.MaxValue;

    /// <summary>Records the answer, at once after it came.</summary>
    public void End(RegisterResult result) => EndAt(_history.Tick(), result);

    /// <inheritdoc/>
    public override string ToString() => IsKnown
        ? $"[{Began}..{Ended}] {Operation} = {Result}"
        : $"[{Began}..] {Operation} = unknown";

    internal void EndAt(long ended, RegisterResult result)
    {
        if (IsKnown)
            throw new InvalidOperationException($"The call {this} has ended before; every call ends at most once.");

        Result = result;
        Ended = ended;
    }
}
