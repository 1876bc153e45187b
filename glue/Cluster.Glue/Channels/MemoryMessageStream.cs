using System.Threading.Channels;
using Cluster.Glue.Transport;

namespace Cluster.Glue.Channels;

/// <summary>One end of a message stream inside this process. Its two queues protect themselves.</summary>
internal sealed class MemoryMessageStream : IMessageStream
{
    private const int QueuedMessagesMax = 16;

    private readonly ChannelReader<byte[]> _input;
    private readonly ChannelWriter<byte[]> _output;
    private readonly CancellationTokenSource _aborted;

    private MemoryMessageStream(
        ChannelReader<byte[]> input, ChannelWriter<byte[]> output, CancellationTokenSource aborted)
    {
        _input = input;
        _output = output;
        _aborted = aborted;
    }

    public int ReceiveBytesMax { get; set; }

    public static (MemoryMessageStream Client, MemoryMessageStream Server) CreatePair()
    {
        var up = Channel.CreateBounded<byte[]>(QueuedMessagesMax);
        var down = Channel.CreateBounded<byte[]>(QueuedMessagesMax);
        var aborted = new CancellationTokenSource();
        return (new(down.Reader, up.Writer, aborted), new(up.Reader, down.Writer, aborted));
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> payload) => _output.WriteAsync(payload.ToArray(), _aborted.Token);

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        while (await _input.WaitToReadAsync(_aborted.Token).ConfigureAwait(false))
        {
            if (_input.TryRead(out var message))
                return message;
        }

        return null;
    }

    public ValueTask CompleteAsync()
    {
        _output.TryComplete();
        return ValueTask.CompletedTask;
    }

    public void Abort() => ThreadPool.UnsafeQueueUserWorkItem(
        static aborted => aborted.Cancel(), _aborted, preferLocal: false);

    public ValueTask DisposeAsync()
    {
        _output.TryComplete();
        return ValueTask.CompletedTask;
    }
}
