using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Published = Glue.V1.Glue;

namespace Cluster.SystemTests.Interop;

/// <summary>One stream that a stock client has opened. For one user at a time.</summary>
internal sealed class StockStream : IDisposable
{
    private readonly AsyncDuplexStreamingCall<BytesValue, BytesValue> _call;

    private StockStream(AsyncDuplexStreamingCall<BytesValue, BytesValue> call) => _call = call;

    /// <summary>Opens a stream with its first message.</summary>
    public static async Task<StockStream> OpenAsync(Published.GlueClient client, CallOptions options, BytesValue first)
    {
        var stream = new StockStream(client.Link(options));
        await stream.SendAsync(first);
        return stream;
    }

    public Task SendAsync(BytesValue message) => _call.RequestStream.WriteAsync(message);

    /// <summary>The next batch; null at the end with OK.</summary>
    public async Task<StockBatch?> ReceiveAsync()
        => await _call.ResponseStream.MoveNext() ? new StockBatch(_call.ResponseStream.Current) : null;

    /// <summary>Ends this half and gives what still comes.</summary>
    public async Task<List<StockBatch>> FinishAsync()
    {
        await _call.RequestStream.CompleteAsync();
        var rest = new List<StockBatch>();
        while (await ReceiveAsync() is { } batch)
            rest.Add(batch);
        return rest;
    }

    /// <summary>Cuts the stream.</summary>
    public void Dispose() => _call.Dispose();
}
