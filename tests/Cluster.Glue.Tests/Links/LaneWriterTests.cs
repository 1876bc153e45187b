using Cluster.Glue.Calls;
using Cluster.Glue.Links;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Links;

/// <summary>When what is appended leaves.</summary>
public sealed class LaneWriterTests : IAsyncLifetime, IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly SentMessages _sent = new();
    private readonly LaneWriter _writer = new(1024 * 1024, keepsBatches: true, (_, failure) => throw failure);

    public Task InitializeAsync()
    {
        _writer.Attach(_sent, 0);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync() => await _sent.DisposeAsync();

    public void Dispose() => _writer.Close();

    [Fact]
    public void Held_LeavesTogether_OnTheThreadThatSendsIt()
    {
        Append(Departure.Held, 3);
        Assert.Empty(_sent.Counts);
        _writer.SendHeld();
        Assert.Equal([3], _sent.Counts);
        _writer.SendHeld();
        Assert.Equal([3], _sent.Counts);
    }

    [Fact]
    public void Now_LeavesAtOnce_WithWhatWasHeld()
    {
        Append(Departure.Held, 2);
        Append(Departure.Now, 1);
        Assert.Equal([3], _sent.Counts);
    }

    [Fact]
    public async Task Soon_LeavesByItself_WithWhatWasHeld()
    {
        Append(Departure.Held, 2);
        Append(Departure.Soon, 1);
        await Eventually.TrueAsync(() => _sent.Counts.Sum() == 3, Bound);
    }

    [Fact]
    public void EndedCalls_AreRefused_ButThoseThatSomethingServedWaitsFor_AndWhatIsNoCall()
    {
        var call = new EnvelopeHeader { Kind = EnvelopeKind.OneWay };
        _writer.EndCalls();
        Assert.Equal(StartResult.NotConnected, _writer.TryAppendCall(call, default, Departure.Now, isFirst: true));
        Assert.Empty(_sent.Counts);
        Assert.Equal(StartResult.Started, _writer.TryAppendCall(call, default, Departure.Now));
        Append(Departure.Now, 1);
        Assert.Equal([1, 1], _sent.Counts);
    }

    private void Append(Departure departure, int count)
    {
        for (int i = 0; i < count; i++)
            _writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Ping }, default, departure);
    }

    /// <summary>Counts the envelopes of each message. Thread-safe by a lock.</summary>
    private sealed class SentMessages : IMessageStream
    {
        private readonly List<int> _counts = [];

        public int ReceiveBytesMax { get; set; }

        public int[] Counts
        {
            get
            {
                lock (_counts)
                    return [.. _counts];
            }
        }

        public ValueTask SendAsync(byte[] buffer, int payloadStart, int payloadLength)
        {
            byte[] payload = buffer.AsSpan(payloadStart, payloadLength).ToArray();
            lock (_counts)
                _counts.Add(Frames.EnvelopesIn(payload).Count);
            return ValueTask.CompletedTask;
        }

        public ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync() => throw new NotSupportedException();

        public ValueTask CompleteAsync() => ValueTask.CompletedTask;

        public void Abort()
        {
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
