using Cluster.Glue.Transport;

namespace Cluster.Testing.Glue;

/// <summary>A stream whose frames pass through a faulty link. As thread-safe as the inner stream.</summary>
internal sealed class FaultyStream(IMessageStream inner, FaultyLink link, int number) : IMessageStream
{
    private readonly CancellationTokenSource _aborted = new();
    private byte[]? _again;

    private bool _hasSent;
    private bool _hasReceived;

    public int ReceiveBytesMax
    {
        get => inner.ReceiveBytesMax;
        set => inner.ReceiveBytesMax = value;
    }

    public async ValueTask SendAsync(ReadOnlyMemory<byte> payload)
    {
        await link.HeldAsync(number).WaitAsync(_aborted.Token);
        var plan = link.Next(FrameDirection.ToServer, payload.Length);
        await WaitAsync(plan);
        // Without the handshake, the receiver cannot read the next frames of the stream.
        CutWhen(plan.CutsBefore || (plan.Drops && !_hasSent));
        var repeats = plan.Repeats && _hasSent;
        _hasSent = true;
        if (plan.Drops)
            return;
        var frame = payload.ToArray();
        Flip(frame, plan);
        for (var times = repeats ? 2 : 1; times > 0; times--)
            await inner.SendAsync(frame);
        CutWhen(plan.CutsAfter);
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        if (Interlocked.Exchange(ref _again, null) is { } again)
            return again;
        while (await inner.ReceiveAsync() is { } payload)
        {
            var plan = link.Next(FrameDirection.ToClient, payload.Length);
            await WaitAsync(plan);
            CutWhen(plan.CutsBefore || (plan.Drops && !_hasReceived));
            var repeats = plan.Repeats && _hasReceived;
            _hasReceived = true;
            if (plan.Drops)
                continue;
            var frame = payload.ToArray();
            Flip(frame, plan);
            if (repeats)
                _again = frame;
            if (plan.CutsAfter)
                Abort();
            return frame;
        }

        return null;
    }

    public ValueTask CompleteAsync() => inner.CompleteAsync();

    public void Abort()
    {
        _aborted.Cancel();
        inner.Abort();
    }

    public async ValueTask DisposeAsync()
    {
        link.Remove(this);
        await _aborted.CancelAsync();
        await inner.DisposeAsync();
    }

    private static void Flip(Span<byte> payload, FramePlan plan)
    {
        if (plan.FlippedBit > 0)
            payload[(plan.FlippedBit - 1) / 8] ^= (byte)(1 << ((plan.FlippedBit - 1) % 8));
    }

    private Task WaitAsync(FramePlan plan) =>
        plan.Delay > TimeSpan.Zero ? Task.Delay(plan.Delay, link.Time, _aborted.Token) : Task.CompletedTask;

    private void CutWhen(bool isCut)
    {
        if (!isCut)
            return;
        Abort();
        throw new IOException("The stream was cut by a test.");
    }
}
