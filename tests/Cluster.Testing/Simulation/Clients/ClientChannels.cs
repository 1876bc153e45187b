namespace Cluster.Testing.Simulation.Clients;

/// <summary>The channels of messages between clients and nodes. Node programs use numbers from zero on.</summary>
public static class ClientChannels
{
    /// <summary>Requests of clients.</summary>
    public const int Request = -1;

    /// <summary>Answers to clients.</summary>
    public const int Reply = -2;
}
