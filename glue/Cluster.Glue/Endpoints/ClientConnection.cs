using Cluster.Glue.Hosting;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;
using Cluster.Glue.Tls;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Cluster.Glue.Endpoints;

/// <summary>The facts and counters of one connection, whichever Kestrel accepted it. It is found by an object that
/// lives as long as the connection. Its parts protect themselves.</summary>
internal sealed class ClientConnection(ServerSettings settings)
{
    private static readonly ConditionalWeakTable<object, ClientConnection> Known = [];

    /// <summary>Why requests on it are refused; null: they are served.</summary>
    public string? Refusal { get; private init; }

    /// <summary>The certificate of the client; null: without TLS, or where a proxy ends it.</summary>
    public PeerCertificate? Shown { get; private init; }

    /// <summary>Whether it came through the listener for peers.</summary>
    public bool IsPeersOnly { get; private init; }

    /// <summary>The bytes of requests that are being received.</summary>
    public ByteBudget Receiving { get; } = new(
        settings.MaxReceivingBytesPerConnection, nameof(GlueServerOptions.MaxReceivingBytesPerConnection));

    /// <summary>The number of its streams in their handshake. Protected by the lock of the gate.</summary>
    public int Handshakes { get; set; }

    public static ClientConnection Of(HttpContext context, ServerSettings settings)
    {
        // A server in memory, as in tests, has no connections.
        if (context.Features.Get<IConnectionLifetimeFeature>() is not { } lifetime)
            return Create(context.Features, settings);
        return Known.TryGetValue(lifetime, out var known)
            ? known
            : Known.GetValue(lifetime, _ => Create(context.Features, settings));
    }

    // Reads the features that connection middleware has set before the first request.
    private static ClientConnection Create(IFeatureCollection features, ServerSettings settings) => new(settings)
    {
        Refusal = features.Get<ConnectionBound.Excess>()?.Reason,
        Shown = features.Get<PeerCertificate>(),
        IsPeersOnly = features.Get<PeerEntrance>() is not null,
    };
}
