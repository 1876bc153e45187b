using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Local;

/// <summary>How an operation on a partition ended. Immutable.</summary>
/// <param name="Status">The outcome, as in replies.</param>
/// <param name="Version">The version of the value read or written; zero without a value.</param>
internal readonly record struct StoreResult(StateReplyStatus Status, long Version = 0)
{
    public static StoreResult NotFound => new(StateReplyStatus.NotFound);

    public static StoreResult NotReady => new(StateReplyStatus.NotReady);

    public static StoreResult Moved => new(StateReplyStatus.Moved);

    public static StoreResult Failed => new(StateReplyStatus.Failed);

    public static StoreResult Full => new(StateReplyStatus.Full);

    public static StoreResult Busy => new(StateReplyStatus.Busy);

    public static StoreResult Done(long version) => new(StateReplyStatus.Done, version);
}
