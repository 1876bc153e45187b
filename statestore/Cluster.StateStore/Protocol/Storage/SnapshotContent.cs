namespace Cluster.StateStore.Protocol.Storage;

/// <summary>A part of a snapshot of a partition. Immutable; the memory is valid during the call that takes
/// it.</summary>
/// <param name="Records">The records.</param>
/// <param name="Requests">The answered requests.</param>
internal readonly record struct SnapshotContent(
    ImmutableArray<RecordImage> Records, ImmutableArray<RequestImage> Requests);
