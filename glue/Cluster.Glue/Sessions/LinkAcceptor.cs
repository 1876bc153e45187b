using System.Security.Cryptography;
using Cluster.Glue.Authorization;
using Cluster.Glue.Channels;
using Cluster.Glue.Filters;
using Cluster.Glue.Settings;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Sessions;

/// <summary>Opens links on the server's side, for streams of any binding. Stateless.</summary>
internal static class LinkAcceptor
{
    /// <summary>Answers a Hello, and asks for a proof where both sides have secrets.</summary>
    /// <returns>The open link; <see cref="CarryAsync"/> carries it.</returns>
    /// <exception cref="GrpcStatusException">The link is refused.</exception>
    public static async Task<Link> OpenAsync(
        ServerRuntime server, IMessageStream stream, LinkOrigin origin, HandshakeMessage hello)
    {
        var peer = hello.Hello!;
        var keys = peer.Nonce is null ? null : server.Settings.PeerKeys;
        if (keys is null && origin.IsPeersOnly)
        {
            throw Handshake.Unproven(
                "this address is for authenticated peers only (PeerListenAddress), and the caller proves nothing: set "
                + "GlueClientOptions.PeerIdentity, or use the address for everybody");
        }

        var settings = server.Settings.ToLink(
            peer, peer.Link, LogText.Clean($"{peer.Node} at {origin.Address}"), server.Host.Metrics);
        settings = settings with
        {
            Caller = await origin.Caller.ConfigureAwait(false),
            ExceptionDetail = server.Settings.ExceptionDetail,
        };
        var welcome = Handshake.AgreeOn(peer, server.Hello);
        if (keys is null)
        {
            var isHere = stream is MemoryMessageStream;
            settings = settings with
            {
                Binding = isHere ? GlueBinding.InProcess : GlueBinding.Link,
                Access = isHere ? PeerAccess.Granted : PeerAccess.NoProof,
            };
            return await AddAsync(server, settings, () => Handshake.AnswerAsync(stream, welcome)).ConfigureAwait(false);
        }

        welcome = welcome with { Nonce = RandomNumberGenerator.GetBytes(Hello.HashBytes) };
        (var proof, var key) =
            await Handshake.ChallengeAsync(stream, hello, welcome, keys).ConfigureAwait(false);
        settings = settings with { Key = key, Access = AccessOf(server, origin, settings.Caller) };
        return await AddAsync(server, settings, () => Handshake.AnswerProofAsync(stream, proof)).ConfigureAwait(false);
    }

    /// <summary>Carries a new link until its first stream ends.</summary>
    public static Task CarryAsync(Link link, IMessageStream stream) =>
        link.CarryAsync(link.SubstreamOf(SubstreamRole.Control), stream, static _ => new ValueTask<ulong>(0UL));

    // A caller that proved the secret is a peer.
    private static PeerAccess AccessOf(ServerRuntime server, LinkOrigin origin, CallerIdentity caller)
    {
        if (!server.Host.Callers.Roles.IsNode(caller))
            return PeerAccess.NoNodeRole;
        var isOtherListener = server.Settings.PeerListenAddress is not null && !origin.IsPeersOnly;
        return isOtherListener ? PeerAccess.OtherListener : PeerAccess.Granted;
    }

    private static async Task<Link> AddAsync(ServerRuntime server, LinkSettings settings, Func<ValueTask> answer)
    {
        var link = new Link(settings, server.Host, keep: null);
        if (!server.TryAdd(link))
        {
            link.End(GlueErrorCode.HandshakeRefused, "its secret is in use");
            throw new GrpcStatusException(StatusCode.InvalidArgument, "hello: a link with this secret is open already");
        }

        try
        {
            // The link is registered before its peer gets the answer, because the peer may join further substreams at
            // once.
            await answer().ConfigureAwait(false);
            return link;
        }
        catch (Exception exception)
        {
            link.End(GlueErrorCode.HandshakeRefused, exception.Message, exception);
            throw;
        }
    }
}
