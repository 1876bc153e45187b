using Cluster.Glue.Authorization;
using Cluster.Glue.Hosting;
using Cluster.Glue.Tls;
using Microsoft.Extensions.Hosting;

namespace Cluster.Glue;

/// <summary>The listeners that a server itself opens when <see cref="GlueServerOptions.ListenAddress"/> or
/// <see cref="GlueServerOptions.PeerListenAddress"/> is set: Kestrels that speak HTTP/2 only, with TLS at <c>https</c>
/// addresses. A hosted service: starts with the host, and on stop drains its links before it closes.</summary>
public sealed class GlueListener : IHostedService
{
    private readonly ServerListeners _listeners;

    internal GlueListener(ServerListeners listeners) => _listeners = listeners;

    /// <summary>The bound address, with the real port; null before start and when no listen address is set.</summary>
    public string? Address => _listeners.Address;

    /// <summary>The bound address of the listener for peers, with the real port; null before start and when no
    /// <see cref="GlueServerOptions.PeerListenAddress"/> is set.</summary>
    public string? PeerAddress => _listeners.PeerAddress;

    /// <inheritdoc />
    /// <exception cref="GlueListenException">The address cannot be bound; the message says why and what to
    /// do.</exception>
    public Task StartAsync(CancellationToken cancellationToken) => _listeners.StartAsync(cancellationToken);

    /// <inheritdoc />
    public Task StopAsync(CancellationToken cancellationToken) => _listeners.StopAsync(cancellationToken);

    /// <summary>Performs the TLS handshake on a connection that another port of the program has accepted, with the
    /// certificate of this server (<see cref="GlueServerOptions.Tls"/>) and its rules for clients. Limited by
    /// <see cref="GlueServerOptions.MaxUnauthenticatedConnections"/> and
    /// <see cref="GlueServerOptions.HandshakeTimeout"/>. A refusal is logged and counted like those of this
    /// listener.</summary>
    /// <param name="connection">The accepted connection. It is closed when it is refused, or with the result.</param>
    /// <param name="from">The address of the client, for the log.</param>
    /// <param name="audience">Who is let in. Peers: where <see cref="GlueTlsOptions.Roles"/> or
    /// <see cref="GlueTlsOptions.RoleSelector"/> are set, only certificates with <see cref="GlueRoles.Node"/>.</param>
    /// <param name="cancellationToken">Cancels the handshake.</param>
    /// <returns>The encrypted stream.</returns>
    /// <exception cref="System.Security.Authentication.AuthenticationException">The other side is not let in; the
    /// message says why.</exception>
    /// <exception cref="GlueListenException">The server has no certificate to show.</exception>
    public ValueTask<Stream> AuthenticateAsync(
        Stream connection, string from, GlueAudience audience, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(from);
        return _listeners.AuthenticateAsync(connection, from, audience, cancellationToken);
    }
}
