using Cluster.Benchmarks.Glue.Stock;
using Google.Protobuf.WellKnownTypes;
using Grpc.Core;

namespace Cluster.Benchmarks.Glue;

/// <summary>The server's side of the stock rival, as Grpc.AspNetCore runs it. Stateless.</summary>
public sealed class StockEchoService : StockEcho.StockEchoBase
{
    /// <inheritdoc />
    public override Task<BytesValue> Echo(BytesValue request, ServerCallContext context) => Task.FromResult(request);

    /// <inheritdoc />
    public override async Task EchoEach(
        IAsyncStreamReader<BytesValue> requestStream,
        IServerStreamWriter<BytesValue> responseStream,
        ServerCallContext context)
    {
        ArgumentNullException.ThrowIfNull(requestStream);
        ArgumentNullException.ThrowIfNull(responseStream);
        while (await requestStream.MoveNext())
            await responseStream.WriteAsync(requestStream.Current);
    }
}
