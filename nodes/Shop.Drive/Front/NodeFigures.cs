namespace Shop.Drive.Front;

/// <summary>The figures of one node, as views show them. Frozen.</summary>
/// <param name="Name">The configured name.</param>
/// <param name="ProcessId">The operating system's number of the process.</param>
/// <param name="Address">The address on which the node listens; empty before the node has joined.</param>
/// <param name="State">One word: starting, joining, active, draining, or ended.</param>
/// <param name="Partitions">The number of partitions that the node owns.</param>
/// <param name="Entries">The number of carts that the node holds.</param>
/// <param name="PileBytes">Native memory that the node's carts use.</param>
/// <param name="PileBudgetBytes">The maximum of native memory for the node's carts.</param>
/// <param name="GcPauseMaxMs">The longest pause of the node's garbage collector that was observed.</param>
internal sealed record NodeFigures(
    string Name,
    int ProcessId,
    string Address,
    string State,
    int Partitions,
    long Entries,
    long PileBytes,
    long PileBudgetBytes,
    double GcPauseMaxMs)
{
    public bool IsRunning => State != StateEnded;

    public const string StateStarting = "starting";
    public const string StateEnded = "ended";
}
