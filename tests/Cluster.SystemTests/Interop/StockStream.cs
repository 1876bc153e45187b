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

    /// <summary>Sends a message. What a server answers that has ended the stream meanwhile is told by
    /// receiving.</summary>
    public async Task SendAsync(BytesValue message)
    {
        try
        {
            await _call.RequestStream.WriteAsync(message);
        }
        catch (RpcException)
        {
            // A server that refuses reads no further.
        }
    }

    /// <summary>The next batch; null at the end with OK.</summary>
    public async Task<StockBatch?> ReceiveAsync() =>
        await _call.ResponseStream.MoveNext() ? new StockBatch(_call.ResponseStream.Current) : null;

    /// <summary>Ends this half and gives what still comes.</summary>
    public async Task<List<StockBatch>> FinishAsync()
    {
        try
        {
            await _call.RequestStream.CompleteAsync();
        }
        catch (Exception failure) when (failure is RpcException or InvalidOperationException)
        {
            // The server has ended the stream, and says why below.
        }

        var rest = new List<StockBatch>();
        while (await ReceiveAsync() is { } batch)
            rest.Add(batch);
        return rest;
    }

    /// <summary>Cuts the stream.</summary>
    public void Dispose() => _call.Dispose();
}
