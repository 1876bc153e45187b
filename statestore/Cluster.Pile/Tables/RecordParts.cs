using Cluster.Pile.Tables.Index;
using Cluster.Pile.Tables.Log;
using Cluster.Pile.Tables.Rebuild;

namespace Cluster.Pile.Tables;

/// <summary>The parts of one table. Immutable; the parts protect themselves.</summary>
/// <param name="Index">The record of each key.</param>
/// <param name="Log">The segments with the records.</param>
/// <param name="Writer">Changes of records.</param>
/// <param name="Orphans">Deletes the objects of removed records.</param>
/// <param name="Count">The number of records.</param>
/// <param name="Ghosts">The keys that were evicted; null in a table that does not evict.</param>
internal sealed record RecordParts(
    RecordIndex Index,
    RecordLog Log,
    RecordWriter Writer,
    RecordOrphans Orphans,
    RecordCount Count,
    RecordGhosts? Ghosts);
