using Cluster.Contracts;
using Cluster.Glue.InProcess;
using Cluster.Glue.Links;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Serving;

/// <summary>Opens links on the server's side, whatever streams carry them. Stateless.</summary>
internal static class LinkAcceptor
{
    /// <summary>Answers a Hello and carries the new link until its first stream ends.</summary>
    /// <exception cref="GrpcStatusException">The link is refused.</exception>
    public static async Task<Link> OpenAsync(ServerRuntime server, IMessageStream stream, string address, Hello peer)
    {
        LinkSettings settings = server.Settings.ToLink(peer, peer.Link, $"{peer.Node} at {address}", server.Metrics);
        if (stream is MemoryMessageStream)
            settings = settings with { Binding = GlueBinding.InProcess };
        var link = new Link(settings, server, keep: null);
        if (!server.TryAdd(link))
        {
            link.End(GlueErrorCode.HandshakeRefused, "its secret is in use");
            throw new GrpcStatusException(GrpcStatus.InvalidArgument, "hello: a link with this secret is open already");
        }

        try
        {
            // The link is there before its peer knows, and may join further lanes.
            await Handshake.AnswerAsync(stream, peer, server.Hello).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            link.End(GlueErrorCode.HandshakeRefused, exception.Message, exception);
            throw;
        }

        await link.CarryAsync(link.LaneOf(LaneRole.Control), stream, static _ => new ValueTask<ulong>(0UL))
            .ConfigureAwait(false);
        return link;
    }
}
