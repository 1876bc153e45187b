using Cluster.Glue.Substreams;
using Cluster.Glue.Tests.Fuzzing;
using Cluster.Glue.Transport;
using Cluster.Glue.Wire;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Substreams;

/// <summary>When what is appended leaves.</summary>
public sealed class SubstreamWriterTests : IAsyncLifetime, IDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly SentMessages _sent = new();
    private readonly SubstreamWriter _writer = new(
        1024 * 1024, keepsBatches: true, TimeProvider.System, (_, failure) => throw failure);

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
        Append(FlushMode.Held, 3);
        Assert.Empty(_sent.Counts);
        _writer.SendHeld();
        Assert.Equal([3], _sent.Counts);
        _writer.SendHeld();
        Assert.Equal([3], _sent.Counts);
    }

    [Fact]
    public void Now_LeavesAtOnce_WithWhatWasHeld()
    {
        Append(FlushMode.Held, 2);
        Append(FlushMode.Now, 1);
        Assert.Equal([3], _sent.Counts);
    }

    [Fact]
    public async Task Soon_LeavesByItself_WithWhatWasHeld()
    {
        Append(FlushMode.Held, 2);
        Append(FlushMode.Soon, 1);
        await Eventually.TrueAsync(() => _sent.Counts.Sum() == 3, Bound);
    }

    [Fact]
    public void EndedCalls_AreRefused_ButThoseThatSomethingServedWaitsFor_AndWhatIsNoCall()
    {
        var call = new EnvelopeHeader { Kind = EnvelopeKind.OneWay };
        _writer.EndCalls();
        Assert.Equal(StartResult.NotConnected, _writer.TryAppendCall(call, default, FlushMode.Now, isFirst: true, out _));
        Assert.Empty(_sent.Counts);
        Assert.Equal(StartResult.Started, _writer.TryAppendCall(call, default, FlushMode.Now));
        Append(FlushMode.Now, 1);
        Assert.Equal([1, 1], _sent.Counts);
    }

    [Fact]
    [Trait("Case", "repair-B3")]
    public void CancelledCalls_ThatWereNotWritten_AreTakenOutOfTheirBatch()
    {
        QueuedPlace[] places = [.. Enumerable.Range(1, 6).Select(id => AppendCall((ulong)id))];
        foreach (var index in (int[])[4, 0, 3])
            _writer.Cancel(places[index], (ulong)index + 1);
        _writer.SendHeld();
        Assert.Equal(["Call 2", "Call 3", "Call 6"], _sent.Envelopes);
    }

    [Fact]
    [Trait("Case", "repair-B3")]
    public async Task CancellationOfACallThatWasWritten_FollowsIt()
    {
        var place = AppendCall(1);
        _writer.SendHeld();
        _writer.Cancel(place, 1);
        await Eventually.TrueAsync(() => _sent.Envelopes.Length == 2, Bound);
        Assert.Equal(["Call 1", "Cancel 1"], _sent.Envelopes);
    }

    /// <summary>However many are called and given up while nothing can be written.</summary>
    [Fact]
    [Trait("Case", "repair-B3")]
    public void CancelledCalls_LeaveNothingBehind_NeitherBytesNorBatches()
    {
        var body = new byte[1000];
        for (var round = 0; round < 10_000; round++)
        {
            QueuedPlace[] places = [.. Enumerable.Range(1, 20).Select(id => AppendCall((ulong)id, body))];
            foreach (var place in places)
                _writer.Cancel(place, 1);
        }

        Assert.Equal(0, _writer.HeldBytes);
        Append(FlushMode.Held, 1);
        _writer.SendHeld();
        Assert.Equal([1], _sent.Counts);
    }

    private QueuedPlace AppendCall(ulong id, byte[]? body = null)
    {
        var header = new EnvelopeHeader { Kind = EnvelopeKind.Call, CallId = id, RemainingMilliseconds = 1000 };
        Assert.Equal(
            StartResult.Started,
            _writer.TryAppendCall(header, body ?? [], FlushMode.Held, isFirst: true, out var place));
        return place;
    }

    private void Append(FlushMode flush, int count)
    {
        for (var i = 0; i < count; i++)
            _writer.Append(new EnvelopeHeader { Kind = EnvelopeKind.Ping }, default, flush);
    }

    /// <summary>Counts the envelopes of each message. Thread-safe by a lock.</summary>
    private sealed class SentMessages : IMessageStream
    {
        private readonly List<int> _counts = [];
        private readonly List<string> _envelopes = [];

        public int ReceiveBytesMax { get; set; }

        public int[] Counts
        {
            get
            {
                lock (_counts)
                    return [.. _counts];
            }
        }

        public string[] Envelopes
        {
            get
            {
                lock (_counts)
                    return [.. _envelopes];
            }
        }

        public ValueTask SendAsync(ReadOnlyMemory<byte> payload)
        {
            var envelopes = Frames.EnvelopesIn(payload.ToArray());
            lock (_counts)
            {
                _counts.Add(envelopes.Count);
                _envelopes.AddRange(envelopes.Select(one => $"{one.Kind} {one.CallId}"));
            }

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
