using Cluster.Glue.Wire;
using Grpc.Core;
using Grpc.Net.Client;

namespace Cluster.Glue.Transport;

/// <summary>Opens message streams as duplex calls of gRPC, each on a connection of its own. Stateless.</summary>
internal sealed class GrpcConnector(GrpcChannels channels) : IMessageConnector
{
    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
    {
        var connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        GrpcChannel channel = channels.Open(
            address, GlueWire.PayloadBytesMax, manyConnections: false, () => connected.TrySetResult());
        var stream = new GrpcClientStream(channel, channels.Compression);
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
