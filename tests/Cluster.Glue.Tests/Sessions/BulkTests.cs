using Cluster.Glue.Substreams;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Large calls travel in chunks on a substream of their own: they hold up nothing, keep their order, and
/// survive cuts.</summary>
public sealed class BulkTests(ITestOutputHelper output) : DisturbedLinkTests
{
    [Theory]
    [InlineData(GlueWire.WholeBodyBytesMax - 100)]
    [InlineData(GlueWire.WholeBodyBytesMax)]
    [InlineData(GlueWire.WholeBodyBytesMax + 100)]
    [InlineData(2 * GlueWire.ChunkBytesMax)]
    [InlineData(1_000_000)]
    [Trait("Case", "glue-20")]
    public async Task LargeArgumentsAndResults_ComeThrough(int size)
    {
        var bytes = MakeBytes(size);
        Assert.Equal(bytes, await Graphs().EchoBytesAsync(bytes).WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-20")]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task SixtyFourMegabytes_ComeThrough_WithTheDefaultLimit()
    {
        await using var client = new GlueClient(new GlueClientOptions { DefaultDeadline = 10 * Bound });
        var bytes = MakeBytes(64_000_000);
        var echoed = await client.CreateProxy<IGraphs>(Host.Address).EchoBytesAsync(bytes).WaitAsync(10 * Bound);
        Assert.True(bytes.AsSpan().SequenceEqual(echoed));
    }

    [Fact]
    [Trait("Case", "glue-20")]
    public async Task OneByteAboveTheLimit_FailsAlone_AndNamesMethodSizeLimitAndOption()
    {
        const int Limit = 1_000_000;
        await using var client = Connect(options => options.MaxMessageBytes = Limit);
        var graphs = client.CreateProxy<IGraphs>(Host.Address);
        var size = Limit - GlueWire.EnvelopeHeaderBytesMax;
        while (await FailsAsync(graphs, size))
            size--;
        Assert.InRange(size, Limit - 200, Limit);
        await graphs.EchoBytesAsync(new byte[size]).WaitAsync(Bound);
        var failure = await Assert.ThrowsAsync<GlueException>(() => graphs.EchoBytesAsync(new byte[size + 1]));
        Assert.Equal((GlueErrorKind.Refused, GlueDelivery.NotDelivered), (failure.Kind, failure.Delivery));
        Assert.Equal(GlueErrorCode.ArgumentsTooLarge, failure.Code);
        foreach (var part in (string[])["EchoBytesAsync", "999", "1000000", "MaxMessageBytes"])
            Assert.Contains(part, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task LargeResult_OpensTheSubstreamFromTheServersSide()
    {
        Assert.Equal(300_000, (await Graphs().MakeBytesAsync(300_000).WaitAsync(Bound)).Length);
        Assert.Equal(BulkStream, Faults.StreamCount);
    }

    [Fact]
    public async Task AnswerLargerThanTheQueue_DoesNotStopTheSubstreamThatItNeeds()
    {
        await using var host = await GlueHost.StartAsync(options => options.MaxSendQueueBytes = 64 * 1024);
        await using var client = Connect();
        var bytes = MakeBytes(20_000_000);
        var graphs = client.CreateProxy<IGraphs>(host.Address);
        var echoed = await Task.WhenAll(graphs.EchoBytesAsync(bytes), graphs.EchoBytesAsync(bytes)).WaitAsync(Bound);
        Assert.All(echoed, one => Assert.True(bytes.AsSpan().SequenceEqual(one)));
    }

    [Fact]
    public async Task LargeCalls_WithoutResumption_ShareTheOneStream()
    {
        await using var client = Connect(options => options.ResumeWindow = TimeSpan.Zero);
        var bytes = MakeBytes(2_000_000);
        Assert.Equal(bytes, await client.CreateProxy<IGraphs>(Host.Address).EchoBytesAsync(bytes).WaitAsync(Bound));
        Assert.Equal(1, Faults.StreamCount);
    }

    [Fact]
    public async Task ManyLargeCallsAtOnce_AreAllAnswered()
    {
        var graphs = Graphs();
        var all = Enumerable.Range(0, 3 * GlueWire.TransfersMax).Select(i => MakeBytes(300_000 + i)).ToArray();
        var echoed = await Task.WhenAll(all.Select(graphs.EchoBytesAsync)).WaitAsync(Bound);
        Assert.Equal(all, echoed);
    }

    [Fact]
    [Trait("Case", "glue-69")]
    public async Task SmallCalls_DoNotWaitForALargeOne()
    {
        await Graphs().EchoBytesAsync(MakeBytes(100_000)).WaitAsync(Bound);
        Faults.Hold(BulkStream);
        var large = Graphs().EchoBytesAsync(MakeBytes(20_000_000));
        var shapes = Proxy<IShapes>();
        for (var i = 0; i < 1000; i++)
            Assert.Equal(2 * i, await shapes.TwiceAsync(i).WaitAsync(Bound));
        Assert.False(large.IsCompleted);
        Faults.Release(BulkStream);
        Assert.Equal(20_000_000, (await large.WaitAsync(Bound)).Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("Case", "glue-69")]
    public async Task SmallCalls_SlowLargeOnesDown_OfWhicheverSideSendsThem(bool isResult)
    {
        var time = new ManualTimeProvider();
        var other = TimeProvider.System;
        await using var host =
            await GlueHost.StartAsync(options => options.TimeProvider = isResult ? time : other);
        await using var client = Connect(options => options.TimeProvider = isResult ? other : time);
        var graphs = client.CreateProxy<IGraphs>(host.Address);
        var shapes = client.CreateProxy<IShapes>(host.Address);
        Func<int, Task> move = isResult ? graphs.MakeBytesAsync : size => graphs.EchoBytesAsync(MakeBytes(size));
        await move(100_000).WaitAsync(Bound);
        await shapes.TwiceAsync(1).WaitAsync(Bound);
        var large = move(20_000_000);
        for (var i = 0; i < 200; i++)
            await shapes.TwiceAsync(i).WaitAsync(Bound);
        Assert.False(large.IsCompleted);
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(BulkPace.Pause);
                return large.IsCompleted;
            },
            Bound);
        await large;
    }

    [Fact]
    [Trait("Case", "glue-67")]
    public async Task CallsAfterALargeOneWay_OfTheSameProxy_KeepTheirOrder()
    {
        await Graphs().EchoBytesAsync(MakeBytes(100_000)).WaitAsync(Bound);
        var timing = Proxy<ITiming>();
        var other = Proxy<ITiming>();
        for (var round = 0; round < 5; round++)
        {
            Seen.Notes.Clear();
            Faults.Hold(BulkStream);
            await timing.NoteAsync(new string('a', 200_000));
            var after = timing.NotesAsync();
            Assert.Empty(await other.NotesAsync().WaitAsync(Bound));
            Assert.False(after.IsCompleted);
            Faults.Release(BulkStream);
            await after.WaitAsync(Bound);
            await Eventually.TrueAsync(() => Seen.Notes.Count == 1, Bound);
        }

        // What has arrived holds nothing up any more.
        await Eventually.TrueAsync(
            async () =>
            {
                Faults.Hold(BulkStream);
                var free = timing.NotesAsync();
                // One behind it on the substream of small calls.
                await other.NotesAsync().WaitAsync(Bound);
                var isFree = free.IsCompleted;
                Faults.Release(BulkStream);
                await free.WaitAsync(Bound);
                return isFree;
            },
            Bound);
    }

    [Fact]
    [Trait("Case", "glue-58")]
    public async Task HeadersOfALargeCall_ThatEndsBeforeItTravels_ArriveAsTheyWere()
    {
        await using var host = await GlueHost.StartAsync(
            addServices: glue => glue.AddService<ILabels, Labels>(GlueInstanceMode.Singleton));
        var labels = Client.CreateProxy<ILabels>(host.Address);
        var other = Client.CreateProxy<ILabels>(host.Address);
        await labels.PutAsync(MakeBytes(100_000));
        await Eventually.TrueAsync(() => Faults.StreamCount == BulkStream, Bound);
        Faults.Hold(BulkStream);
        for (var i = 0; i < 5; i++)
        {
            using (GlueCall.WithHeaders(new GlueHeaders().Set("label", $"large {i}")))
                await labels.PutAsync(MakeBytes(100_000));
            // These reuse what belonged to the call that has ended.
            using (GlueCall.WithHeaders(new GlueHeaders().Set("label", $"small {i}")))
                await other.PutAsync([1]);
        }

        Faults.Release(BulkStream);
        string[] seen = [];
        await Eventually.TrueAsync(async () => (seen = await labels.SeenAsync()).Length == 11, Bound);
        Assert.Equal(
            ["large 0", "large 1", "large 2", "large 3", "large 4"],
            seen.Where(label => label.StartsWith("large", StringComparison.Ordinal)).Order());
    }

    [Theory]
    [InlineData(FrameDirection.ToServer)]
    [InlineData(FrameDirection.ToClient)]
    [Trait("Case", "glue-77")]
    public async Task CutsInTheMiddleOfATransfer_LoseAndRepeatNothing(FrameDirection direction)
    {
        var bytes = MakeBytes(3_000_000);
        var graphs = Graphs();
        await graphs.EchoBytesAsync(bytes).WaitAsync(Bound);
        for (var frame = 1; frame < 60; frame += 7)
        {
            Faults.CutAt(frame, direction, isDelivered: frame % 2 == 0);
            Assert.Equal(bytes, await graphs.EchoBytesAsync(bytes).WaitAsync(Bound));
        }

        output.WriteLine($"{Faults.StreamCount} streams");
        Assert.True(Faults.StreamCount > BulkStream + 5);
    }

    [Fact]
    public async Task LargeCallsThatAreGivenUp_LeaveRoomForOthers()
    {
        var graphs = Graphs();
        var bytes = MakeBytes(10_000_000);
        await graphs.EchoBytesAsync(bytes).WaitAsync(Bound);
        Faults.Hold(BulkStream);
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(100)))
        {
            var lost = Enumerable.Range(0, 4).Select(_ => graphs.EchoBytesAsync(bytes)).ToArray();
            foreach (var one in lost)
                Assert.Equal(GlueErrorKind.Deadline, (await Assert.ThrowsAsync<GlueException>(() => one)).Kind);
        }

        Faults.Release(BulkStream);
        for (var i = 0; i < 5; i++)
            Assert.Equal(bytes, await graphs.EchoBytesAsync(bytes).WaitAsync(Bound));
    }

    /// <summary>Transfers share the room of the substream. What has ended must not take a part of it for
    /// ever.</summary>
    [Fact]
    [Trait("Case", "repair-B1")]
    public async Task LargeCalls_ThatHaveEnded_LeaveRoomForSeveralAtOnce()
    {
        const int Limit = 16_000_000;
        await using var host = await GlueHost.StartAsync(options => options.MaxMessageBytes = Limit);
        await using var client = Connect(options => options.MaxMessageBytes = Limit);
        var graphs = client.CreateProxy<IGraphs>(host.Address);
        var large = MakeBytes(Limit - 100_000);
        for (var i = 0; i < 3; i++)
            await graphs.EchoBytesAsync(large).WaitAsync(Bound);
        Faults.Hold(BulkStream);
        var longer = graphs.EchoBytesAsync(large);
        var shorter = graphs.EchoBytesAsync(MakeBytes(200_000));
        Faults.Release(BulkStream);
        Assert.Same(shorter, await Task.WhenAny(longer, shorter).WaitAsync(Bound));
        Assert.Equal(large, await longer.WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-41")]
    public async Task LargeCalls_BeyondTheQueue_WaitUntilTheirDeadline()
    {
        await using var client = Connect(options => options.MaxSendQueueBytes = 1_000_000);
        var graphs = client.CreateProxy<IGraphs>(Host.Address);
        var bytes = MakeBytes(10_000_000);
        await graphs.EchoBytesAsync(bytes).WaitAsync(Bound);
        Faults.Hold(BulkStream);
        var first = graphs.EchoBytesAsync(bytes);
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(100)))
        {
            var full = await Assert.ThrowsAsync<GlueException>(() => graphs.EchoBytesAsync(bytes));
            Assert.Equal((GlueErrorCode.SendQueueFull, GlueDelivery.NotDelivered), (full.Code, full.Delivery));
        }

        var second = graphs.EchoBytesAsync(bytes);
        Faults.Release(BulkStream);
        Assert.Equal(bytes, await first.WaitAsync(Bound));
        Assert.Equal(bytes, await second.WaitAsync(Bound));
    }

    [Fact]
    public async Task LargeCall_WaitsForItsConnection_HoweverSmallTheQueue()
    {
        var time = new ManualTimeProvider();
        await using var client = Connect(options =>
        {
            options.MaxSendQueueBytes = 1_000_000;
            options.TimeProvider = time;
        });
        var graphs = client.CreateProxy<IGraphs>(Host.Address);
        Assert.Equal([1], await graphs.EchoBytesAsync([1]).WaitAsync(Bound));
        Faults.Hold(BulkStream);
        var bytes = MakeBytes(10_000_000);
        var call = graphs.EchoBytesAsync(bytes);
        await Eventually.TrueAsync(() => Faults.StreamCount == BulkStream, Bound);
        // The link looks after its substreams with each of them.
        for (var i = 0; i < 10; i++)
            time.Advance(GlueLimits.TickInterval);
        Faults.Release(BulkStream);
        await Eventually.TrueAsync(
            () =>
            {
                time.Advance(GlueLimits.TickInterval);
                return call.IsCompleted;
            },
            Bound);
        Assert.Equal(bytes, await call);
    }

    private static async Task<bool> FailsAsync(IGraphs graphs, int size)
    {
        try
        {
            await graphs.EchoBytesAsync(new byte[size]);
            return false;
        }
        catch (GlueException exception) when (exception.Code == GlueErrorCode.ArgumentsTooLarge)
        {
            return true;
        }
    }

    private static byte[] MakeBytes(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        return bytes;
    }

    private IGraphs Graphs() => Proxy<IGraphs>();

    public interface ILabels
    {
        [OneWay]
        Task PutAsync(byte[] load);

        Task<string[]> SeenAsync();
    }

    internal sealed class Labels : ILabels
    {
        private readonly ConcurrentQueue<string> _seen = new();

        public Task PutAsync(byte[] load)
        {
            _seen.Enqueue(GlueCall.Current!.Headers.FindText("label") ?? "none");
            return Task.CompletedTask;
        }

        public Task<string[]> SeenAsync() => Task.FromResult(_seen.ToArray());
    }
}
