using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>Of which state of a partition a snapshot is. Records that changed while it was taken are in it before or
/// after the change. Immutable.</summary>
/// <param name="First">Up to this entry, the snapshot has everything.</param>
/// <param name="Last">The snapshot has nothing that is newer than this entry.</param>
/// <param name="Time">The partition time, in ticks of UTC.</param>
internal readonly record struct SnapshotMark(EntryId First, EntryId Last, long Time);
