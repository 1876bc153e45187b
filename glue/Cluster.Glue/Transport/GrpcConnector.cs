using Cluster.Glue.Authorization;
using Cluster.Glue.Wire;
using Grpc.Core;

namespace Cluster.Glue.Transport;

/// <summary>Opens message streams as duplex calls of gRPC, each on a connection for itself. Immutable.</summary>
/// <param name="channels">The channels of the client.</param>
/// <param name="tokens">The tokens that the streams show.</param>
internal sealed class GrpcConnector(GrpcChannels channels, TokenSource tokens) : IMessageConnector
{
    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
    {
        var bearer = await tokens.GetAsync(address, cancellationToken).ConfigureAwait(false);
        var connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var channel = channels.Open(
            address, GlueWire.PayloadBytesMax, manyConnections: false, () => connected.TrySetResult());
        var stream = new GrpcClientStream(channel, channels.Compression, bearer);
        try
        {
            await stream.WaitUntilOpenAsync(connected.Task, cancellationToken).ConfigureAwait(false);
            return stream;
        }
        catch (Exception exception)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            if (exception is RpcException failure && !cancellationToken.IsCancellationRequested)
                throw GrpcFailures.Of(failure);
            throw;
        }
    }
}
