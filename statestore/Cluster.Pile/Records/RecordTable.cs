namespace Cluster.Pile.Records;

/// <summary>A table by its number, and what it is. Immutable.</summary>
internal sealed record RecordTable(int Number, RecordTableOptions Options);
