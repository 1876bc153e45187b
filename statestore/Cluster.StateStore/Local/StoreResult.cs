using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Local;

/// <summary>How an operation on a partition ended. Immutable.</summary>
/// <param name="Status">The outcome, in the terms of the reply.</param>
/// <param name="Version">The version of the value read or written; zero where there is none.</param>
internal readonly record struct StoreResult(StateReplyStatus Status, long Version = 0)
{
    internal static StoreResult NotFound => new(StateReplyStatus.NotFound);

    internal static StoreResult NotReady => new(StateReplyStatus.NotReady);

    internal static StoreResult Moved => new(StateReplyStatus.Moved);

    internal static StoreResult Failed => new(StateReplyStatus.Failed);

    internal static StoreResult Full => new(StateReplyStatus.Full);

    internal static StoreResult Busy => new(StateReplyStatus.Busy);

    internal static StoreResult Done(long version) => new(StateReplyStatus.Done, version);
}
