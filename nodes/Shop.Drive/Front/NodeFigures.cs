namespace Shop.Drive.Front;

/// <summary>One node as views show it. Frozen.</summary>
/// <param name="Name">Its configured name.</param>
/// <param name="ProcessId">The operating system's number of its process.</param>
/// <param name="Address">Where it listens; empty before it has joined.</param>
/// <param name="State">In one word: starting, joining, active, draining, or ended.</param>
/// <param name="Partitions">How many partitions it owns.</param>
/// <param name="Entries">How many carts it holds.</param>
/// <param name="PileBytes">Native memory that its carts take.</param>
/// <param name="PileBudgetBytes">Native memory that they may take.</param>
/// <param name="GcPauseMaxMs">The longest pause of its garbage collector while it was under watch.</param>
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
    /// <summary>Whether its process runs.</summary>
    public bool IsRunning => State != StateEnded;

    public const string StateStarting = "starting";
    public const string StateEnded = "ended";
}
