using Cluster.Glue.Authorization;
using Cluster.Glue.Faults;
using Cluster.Glue.Sessions;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Channels;

/// <summary>Opens streams to servers of this process. Stateless.</summary>
internal sealed class InProcessConnector : IMessageConnector
{
    public bool IsInProcess => true;

    public ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
    {
        if (InProcessServers.Find(address.Authority) is not { IsDraining: false } server)
        {
            throw GlueErrors.NotDelivered(
                GlueErrorKind.Unreachable,
                GlueErrorCode.ConnectFailed,
                $"No Glue server named '{address.Authority}' runs in this process.");
        }

        (var client, var accepted) = MemoryMessageStream.CreatePair();
        _ = ServeAsync(server, accepted, address.ToString());
        return new ValueTask<IMessageStream>(client);
    }

    // The calls have their own tokens.
    private static LinkOrigin OriginOf(string address) =>
        new(address, IsPeersOnly: false, Task.FromResult(CallerIdentity.Nobody));

    private static async Task ServeAsync(ServerRuntime server, MemoryMessageStream stream, string address)
    {
        await using (stream.ConfigureAwait(false))
        {
            try
            {
                var first = await Handshake.ReceiveAsync(stream).ConfigureAwait(false);
                var link = await LinkAcceptor.OpenAsync(
                    server, stream, OriginOf(address), first).ConfigureAwait(false);
                await LinkAcceptor.CarryAsync(link, stream).ConfigureAwait(false);
            }
            catch (Exception exception) when (exception is GrpcStatusException or WireException)
            {
                server.Log.LinkRefused(address, exception.Message);
                stream.Abort();
            }
            catch (OperationCanceledException)
            {
                // The client has given the stream up.
            }
        }
    }
}
