using System.Net.Sockets;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>Addresses of Unix domain sockets, <c>unix:///path</c>, and connections to them. Stateless.</summary>
internal static class UnixSocket
{
    /// <summary>The host that requests name, because HTTP needs one.</summary>
    public static Uri HttpHost { get; } = new("http://localhost");

    /// <summary>The path of a socket address; null: the address is of another kind.</summary>
    public static string? PathOf(Uri address) =>
        address.Scheme == AddressScheme.Unix && address.Host.Length == 0 && address.AbsolutePath.Length > 1
            ? Uri.UnescapeDataString(address.AbsolutePath)
            : null;

    public static async ValueTask<Stream> ConnectAsync(string path, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancellationToken).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
