using System.Security.Authentication;
using Cluster.Glue.Hosting;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tls;

namespace Cluster.Glue;

/// <summary>Makes proxies for contracts, and owns the links that carry their calls: one per address, opened at the
/// first call and reopened after a loss. Thread-safe; proxies live as long as the client.</summary>
public sealed class GlueClient : IAsyncDisposable
{
    private readonly ClientRuntime _runtime;

    /// <summary>Creates a client with default options.</summary>
    public GlueClient()
        : this(new GlueClientOptions())
    {
    }

    /// <summary>Creates a client.</summary>
    /// <param name="options">The options, which are copied.</param>
    /// <exception cref="ArgumentException">Values are invalid; the message names all of them.</exception>
    public GlueClient(GlueClientOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _runtime = new ClientRuntime(options);
    }

    /// <summary>The newest link of each address, also if it has ended.</summary>
    internal IEnumerable<Link> Links => _runtime.Links;

    /// <summary>Makes a proxy bound to one address, with a client that only this proxy uses, for programs without a
    /// host.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="address"><c>http://host:port</c>, <c>https://host:port</c>, <c>unix:///path</c> or
    /// <c>inproc://name</c>.</param>
    /// <param name="options">Null: defaults.</param>
    /// <param name="proxy">Options of the proxy; null: defaults.</param>
    public static TContract Connect<TContract>(
        string address, GlueClientOptions? options = null, GlueProxyOptions? proxy = null)
        where TContract : class =>
        new GlueClient(options ?? new GlueClientOptions()).CreateProxy<TContract>(address, proxy);

    /// <summary>Makes a proxy bound to one address. No connection is opened before the first call.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="address"><c>http://host:port</c>, <c>https://host:port</c>, <c>unix:///path</c> or
    /// <c>inproc://name</c>.</param>
    /// <param name="options">Options of the proxy; null: defaults.</param>
    /// <exception cref="NotSupportedException">The contract has a member that cannot be called remotely; the message
    /// names it.</exception>
    public TContract CreateProxy<TContract>(string address, GlueProxyOptions? options = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(address);
        return _runtime.CreateProxy<TContract>(address, options);
    }

    /// <summary>Makes a proxy that asks a selector for the address of each call.</summary>
    /// <typeparam name="TContract">A plain interface.</typeparam>
    /// <param name="selector">Chooses the addresses; it must answer from memory, see
    /// <see cref="IGlueEndpointSelector"/>.</param>
    /// <param name="options">Options of the proxy; null: defaults.</param>
    /// <exception cref="NotSupportedException">The contract has a member that cannot be called remotely; the message
    /// names it.</exception>
    public TContract CreateProxy<TContract>(IGlueEndpointSelector selector, GlueProxyOptions? options = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(selector);
        return _runtime.CreateProxy<TContract>(selector, options);
    }

    /// <summary>Performs the TLS handshake on a connection that the program itself has opened, with the certificate and
    /// the authorities of this client (<see cref="GlueClientOptions.Tls"/>). For ports of a program that do not speak
    /// Glue.</summary>
    /// <param name="connection">The connection. It is closed when the handshake fails, or with the result.</param>
    /// <param name="host">The host that was called. The certificate must bear this name, or
    /// <see cref="GlueTlsOptions.ServerName"/> if that is set.</param>
    /// <param name="cancellationToken">Cancels the handshake.</param>
    /// <returns>The encrypted stream.</returns>
    /// <exception cref="AuthenticationException">The other side is not trusted; the message says why.</exception>
    public ValueTask<Stream> AuthenticateAsync(Stream connection, string host, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentException.ThrowIfNullOrEmpty(host);
        return _runtime.AuthenticateAsync(connection, host, cancellationToken);
    }

    /// <summary>Closes all links. Calls under way and later calls fail. One-way calls that were sent still run: the
    /// method waits until the servers have received them, as long as the servers receive some each second, and 10
    /// seconds at most. Idempotent.</summary>
    public ValueTask DisposeAsync() => _runtime.DisposeAsync();
}
