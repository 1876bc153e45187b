using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Frames;

/// <summary>A part of a copy. Immutable; the memory is valid until the chunk was sent or handled.</summary>
/// <param name="Ask">The question that the copy answers.</param>
/// <param name="Scan">The source's number of the scan.</param>
/// <param name="Index">Counts the chunks of the scan from zero.</param>
/// <param name="Start">What was committed when the scan began; the log follows from there.</param>
/// <param name="Records">The records.</param>
internal sealed record CopyChunk(
    CopyAsk Ask, long Scan, int Index, EntryId Start, ImmutableArray<RecordImage> Records)
{
    /// <summary>The answered requests, in the first chunk.</summary>
    public ImmutableArray<RequestImage> Requests { get; init; } = [];

    /// <summary>Whether no chunk follows.</summary>
    public bool IsLast { get; init; }

    /// <summary>Whether the target keeps its base: the log follows from there, and no record is sent.</summary>
    public bool IsDifference { get; init; }

    /// <summary>Whether the target has to drop its base and to ask for everything.</summary>
    public bool IsBaseRefused { get; init; }

    /// <summary>The partition time of the source.</summary>
    public long Time { get; init; }
}
