namespace Cluster.Glue.Serving;

/// <summary>
/// Marks the connections of the listener for peers: a feature that its connection middleware sets. Stateless.
/// </summary>
internal sealed class PeerEntrance
{
    public static PeerEntrance Instance { get; } = new();
}
