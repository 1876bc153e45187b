namespace Cluster.Pile.Records;

/// <summary>What one table is made of. Immutable; the parts protect themselves.</summary>
/// <param name="Index">Which record each key has.</param>
/// <param name="Log">Where the records lie.</param>
/// <param name="Writer">Changes.</param>
/// <param name="Orphans">What deletes the objects of records that ended.</param>
/// <param name="Count">How many records there are.</param>
/// <param name="Ghosts">The keys that were evicted; none in a table that evicts nothing.</param>
internal sealed record RecordParts(
    RecordIndex Index,
    RecordLog Log,
    RecordWriter Writer,
    RecordOrphans Orphans,
    RecordCount Count,
    RecordGhosts? Ghosts);
