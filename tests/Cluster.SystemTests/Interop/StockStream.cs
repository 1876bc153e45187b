using Google.Protobuf.WellKnownTypes;
using Grpc.Core;
using Published = Glue.V1.Glue;

namespace Cluster.SystemTests.Interop;

/// <summary>One stream that a stock client has opened. Not thread-safe.</summary>
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

    /// <summary>Sends a message. If the server has ended the stream, the error shows when the client
    /// receives.</summary>
    public async Task SendAsync(BytesValue message)
    {
        try
        {
            await _call.RequestStream.WriteAsync(message);
        }
        catch (RpcException)
        {
            // A server that has refused the stream reads no more messages.
        }
    }

    /// <summary>Returns the next batch; null after the server has ended the stream with OK.</summary>
    public async Task<StockBatch?> ReceiveAsync() =>
        await _call.ResponseStream.MoveNext() ? new StockBatch(_call.ResponseStream.Current) : null;

    /// <summary>Ends the client's half of the stream and returns the remaining batches.</summary>
    public async Task<List<StockBatch>> FinishAsync()
    {
        try
        {
            await _call.RequestStream.CompleteAsync();
        }
        catch (Exception failure) when (failure is RpcException or InvalidOperationException)
        {
            // The server has ended the stream. Receiving below throws the reason.
        }

        var rest = new List<StockBatch>();
        while (await ReceiveAsync() is { } batch)
            rest.Add(batch);
        return rest;
    }

    public void Dispose() => _call.Dispose();
}
