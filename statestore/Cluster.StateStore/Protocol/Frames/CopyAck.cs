namespace Cluster.StateStore.Protocol.Frames;

/// <summary>Tells the source of a copy what has arrived. Immutable.</summary>
/// <param name="Ask">The question that the copy answers.</param>
/// <param name="Scan">The number of the scan.</param>
/// <param name="Next">The index of the chunk that is expected next.</param>
internal sealed record CopyAck(CopyAsk Ask, long Scan, int Next);
