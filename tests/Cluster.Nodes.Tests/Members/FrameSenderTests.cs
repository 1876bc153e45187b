using Cluster.Nodes.Members;
using Cluster.StateStore.Messages;
using Cluster.Testing;
using static Cluster.Nodes.Tests.TestTables;

namespace Cluster.Nodes.Tests.Members;

public sealed class FrameSenderTests
{
    private const int FrameBytes = 1 << 20;
    private const int FramesMax = (int)(FrameSender.WaitingBytesMax / FrameBytes);

    private readonly ConcurrentDictionary<NodeId, Receiver> _receivers = new();
    private readonly ConcurrentQueue<NodeId> _unreachable = new();
    private readonly FrameSender _sender;

    public FrameSenderTests() => _sender = new FrameSender(member => ReceiverOf(member.Node));

    [Fact]
    public void Send_ManyFrames_ArriveInOrder()
    {
        for (var number = 0; number < 1_000; number++)
            Send(1, BitConverter.GetBytes(number));
        var numbers = ReceiverOf(Node(1)).Frames.Select(frame => BitConverter.ToInt32(frame));
        Assert.Equal(Enumerable.Range(0, 1_000), numbers);
        Assert.Equal(0, _sender.DroppedFrames);
    }

    [Fact]
    public async Task Send_ReceiverThatTakesNothing_LosesWhatIsBeyondTheLimitAndNobodyElseDoes()
    {
        var stuck = ReceiverOf(Node(1));
        stuck.Gate = new TaskCompletionSource();
        for (var number = 0; number < FramesMax + 10; number++)
            Send(1, new byte[FrameBytes]);
        Assert.Equal((FramesMax, 10L), (stuck.Frames.Count, _sender.DroppedFrames));

        Send(2, new byte[FrameBytes]);
        Assert.Single(ReceiverOf(Node(2)).Frames);

        // The waiting frames arrive, and their bytes count no more.
        var gate = stuck.Gate;
        stuck.Gate = null;
        gate.SetResult();
        await Eventually.TrueAsync(
            () =>
            {
                Send(1, new byte[FrameBytes]);
                return stuck.Frames.Count > FramesMax;
            },
            TimeSpan.FromMinutes(1));
        Assert.Empty(_unreachable);
    }

    [Fact]
    public void Send_FrameBeyondTheLimit_IsSentToAReceiverForWhichNothingWaits()
    {
        Send(1, new byte[FrameSender.WaitingBytesMax + 1]);
        Assert.Single(ReceiverOf(Node(1)).Frames);
        Assert.Equal(0, _sender.DroppedFrames);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Send_ReceiverThatCannotBeReached_IsToldForEachFrame(bool isLate)
    {
        var lost = ReceiverOf(Node(1));
        if (isLate)
            lost.Gate = new TaskCompletionSource();
        lost.Failure = new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "nobody listens");
        Send(1, [1]);
        Send(1, [2]);
        lost.Gate?.SetResult();
        await Eventually.TrueAsync(() => _unreachable.Count == 2, TimeSpan.FromMinutes(1));
        Assert.All(_unreachable, node => Assert.Equal(Node(1), node));
        await CheckNothingWaitsAsync(lost);
    }

    [Fact]
    public async Task Send_ReceiverThatWasNotReached_GetsFewFramesUntilOneArrives()
    {
        var lost = ReceiverOf(Node(1));
        lost.Failure = new GlueException(
            GlueErrorKind.Unreachable, GlueDelivery.NotDelivered, GlueErrorCode.ConnectFailed, "nobody listens");
        Send(1, [0]);
        await Eventually.TrueAsync(() => _unreachable.Count == 1, TimeSpan.FromMinutes(1));

        // It connects, which takes its time.
        var gate = lost.Gate = new TaskCompletionSource();
        lost.Failure = null;
        var before = lost.Frames.Count;
        for (var number = 0; number < 100; number++)
            Send(1, [1]);
        Assert.Equal(FrameSender.WaitingFramesOfLostMax, lost.Frames.Count - before);
        Assert.Equal(100 - FrameSender.WaitingFramesOfLostMax, _sender.DroppedFrames);

        lost.Gate = null;
        gate.SetResult();
        await Eventually.TrueAsync(
            () =>
            {
                var dropped = _sender.DroppedFrames;
                Send(1, [2]);
                return _sender.DroppedFrames == dropped;
            },
            TimeSpan.FromMinutes(1));
    }

    /// <summary>An address that is none, and every other failure, is a receiver that cannot be reached.</summary>
    [Fact]
    public async Task Send_ProxyThatCannotBeMade_IsToldAsUnreachable()
    {
        var sender = new FrameSender(_ => throw new UriFormatException("no address"));
        sender.Send(Member(1), [1], _unreachable.Enqueue);
        await Eventually.TrueAsync(() => _unreachable.Count == 1, TimeSpan.FromMinutes(1));
    }

    [Fact]
    public async Task Send_ClientThatHasEnded_IsNobodysFailure()
    {
        var receiver = ReceiverOf(Node(1));
        foreach (var failure in new Exception[]
            { new ObjectDisposedException("client"), new OperationCanceledException("the link is closed") })
        {
            receiver.Failure = failure;
            Send(1, [1]);
            await CheckNothingWaitsAsync(receiver);
        }

        Assert.Empty(_unreachable);
    }

    [Fact]
    public void Keep_MemberThatIsForgotten_BeginsAnewWithoutWaitingFrames()
    {
        var stuck = ReceiverOf(Node(1));
        stuck.Gate = new TaskCompletionSource();
        for (var number = 0; number < FramesMax; number++)
            Send(1, new byte[FrameBytes]);
        _sender.Keep(With(Member(0), Member(1)));
        Send(1, [1]);
        Assert.Equal(1, _sender.DroppedFrames);

        _sender.Keep(With(Member(0)));
        Send(1, [1]);
        Assert.Equal((FramesMax + 1, 1L), (stuck.Frames.Count, _sender.DroppedFrames));
    }

    private void Send(int number, byte[] frame) => _sender.Send(Member(number), frame, _unreachable.Enqueue);

    private Receiver ReceiverOf(NodeId node) => _receivers.GetOrAdd(node, static _ => new Receiver());

    // A frame as large as the limit is sent only where nothing waits.
    private async Task CheckNothingWaitsAsync(Receiver receiver)
    {
        var count = receiver.Frames.Count;
        (receiver.Gate, receiver.Failure) = (null, null);
        await Eventually.TrueAsync(
            () =>
            {
                Send(1, new byte[FrameSender.WaitingBytesMax]);
                return receiver.Frames.Count > count;
            },
            TimeSpan.FromMinutes(1));
    }

    /// <summary>Takes frames as a Glue proxy does: a frame is taken when the gate is open, or fails then.</summary>
    private sealed class Receiver : IStateFrames
    {
        public ConcurrentQueue<byte[]> Frames { get; } = new();

        public TaskCompletionSource? Gate { get; set; }

        public Exception? Failure { get; set; }

        public async Task DeliverAsync(byte[] frame, CancellationToken cancellationToken)
        {
            var failure = Failure;
            Frames.Enqueue(frame);
            if (Gate is { } gate)
                await gate.Task;
            if (failure is not null)
                throw failure;
        }
    }
}
