using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Engine;

/// <summary>How an operation on a key ended. Immutable.</summary>
/// <param name="Status">The outcome, as in replies.</param>
/// <param name="Version">The version of the value read or written; zero without a value.</param>
internal readonly record struct StateResult(StateReplyStatus Status, long Version = 0)
{
    public static StateResult NotFound => new(StateReplyStatus.NotFound);

    public static StateResult NotReady => new(StateReplyStatus.NotReady);

    public static StateResult Moved => new(StateReplyStatus.Moved);

    public static StateResult Failed => new(StateReplyStatus.Failed);

    public static StateResult Full => new(StateReplyStatus.Full);

    public static StateResult Busy => new(StateReplyStatus.Busy);

    public static StateResult Unknown => new(StateReplyStatus.Unknown);

    public static StateResult ResultNotKept => new(StateReplyStatus.ResultNotKept);

    public static StateResult Loading => new(StateReplyStatus.Loading);

    public static StateResult Done(ulong version) => new(StateReplyStatus.Done, (long)version);
}
