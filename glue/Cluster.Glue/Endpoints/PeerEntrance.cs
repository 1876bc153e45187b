using Microsoft.AspNetCore.Connections;

namespace Cluster.Glue.Endpoints;

/// <summary>Marks the connections of the listener for peers: a feature that its connection middleware sets.
/// Stateless.</summary>
internal sealed class PeerEntrance
{
    private static readonly PeerEntrance Instance = new();

    public static ConnectionDelegate Mark(ConnectionDelegate next) => connection =>
    {
        connection.Features.Set(Instance);
        return next(connection);
    };
}
