namespace Cluster.Pile.Tables;

/// <summary>The user of a table of records. The numbers are part of the format of exported tables.</summary>
internal enum RecordTableKind
{
    Cache = 0,
    Cells = 1,
}
