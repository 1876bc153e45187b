using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Serving;

/// <summary>
/// What a server counts of one connection, whichever Kestrel accepted it: it is found by an object that lives as long
/// as the connection. Its parts protect themselves.
/// </summary>
internal sealed class ClientConnection(ServerSettings settings)
{
    private static readonly ConditionalWeakTable<object, ClientConnection> Known = [];

    /// <summary>Bytes of requests that are being received.</summary>
    public ByteBudget Receiving { get; } = new(
        settings.MaxReceivingBytesPerConnection, nameof(GlueServerOptions.MaxReceivingBytesPerConnection));

    /// <summary>Its streams that have not shaken hands. Protected by the lock of the gate.</summary>
    public int Handshakes { get; set; }

    public static ClientConnection Of(HttpContext context, ServerSettings settings)
    {
        // A server in memory, as in tests, has no connections.
        if (context.Features.Get<IConnectionLifetimeFeature>() is not { } lifetime)
            return new ClientConnection(settings);
        return Known.TryGetValue(lifetime, out ClientConnection? known)
            ? known
            : Known.GetValue(lifetime, _ => new ClientConnection(settings));
    }
}
