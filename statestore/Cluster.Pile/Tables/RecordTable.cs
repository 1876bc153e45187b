namespace Cluster.Pile.Tables;

/// <summary>The number and the options of a table. Immutable.</summary>
internal sealed record RecordTable(int Number, RecordTableOptions Options);
