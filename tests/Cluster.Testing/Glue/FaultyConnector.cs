using System.Net.Sockets;
using Cluster.Glue.Transport;

namespace Cluster.Testing.Glue;

/// <summary>Opens streams through a faulty link. Stateless.</summary>
internal sealed class FaultyConnector(IMessageConnector inner, FaultyLink link) : IMessageConnector
{
    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
    {
        if (link.IsDown)
            throw new SocketException((int)SocketError.HostUnreachable);
        return link.Add(await inner.OpenAsync(address, cancellationToken));
    }
}
