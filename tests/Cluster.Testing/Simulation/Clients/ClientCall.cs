namespace Cluster.Testing.Simulation.Clients;

/// <summary>A running operation of a client, with what the client needs for its attempts. Changed by its client
/// alone.</summary>
/// <param name="operation">The operation.</param>
/// <param name="deadline">When the client gives up, in true time.</param>
internal sealed class ClientCall(ClientOperation operation, TimeSpan deadline)
{
    public ClientOperation Operation { get; } = operation;

    public TimeSpan Deadline { get; } = deadline;

    /// <summary>How many answers in a row named another owner.</summary>
    public int RedirectsInRow { get; set; }

    /// <summary>The number of the newest timer.</summary>
    public long Timer { get; set; }

    /// <summary>Whether the next attempt goes to the node that the client took for the owner last.</summary>
    public bool KeepsRoute { get; set; }
}
