namespace Cluster.Pile.Cells;

/// <summary>One open accessor of a hold: its number, and the call that took it. Immutable.</summary>
internal readonly record struct CellTicket(long Number, string File, int Line);
