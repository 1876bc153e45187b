using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>The answer to a <see cref="CommitAsk"/>, of a primary whose lease lasts. Immutable.</summary>
/// <param name="Ask">The question.</param>
/// <param name="Committed">What the primary has committed.</param>
/// <param name="Time">The partition time, in ticks of UTC.</param>
internal sealed record CommitTold(CommitAsk Ask, EntryId Committed, long Time);
