using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Cluster.Testing.Glue;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>The faults that users can ask for do what they say; those of cuts, losses and repeats are in
/// LinkResumeTests.</summary>
[WithCanaryArrays]
public sealed class FaultyLinkTests : DisturbedLinkTests
{
    private readonly ManualTimeProvider _time = new();

    public FaultyLinkTests() => Faults.Time = _time;

    [Fact]
    public void Faults_OfOneSeed_AreTheSameAgain()
    {
        Assert.Equal(FaultsOf(seed: 7), FaultsOf(seed: 7));
        Assert.NotEqual(FaultsOf(seed: 7), FaultsOf(seed: 8));
    }

    [Fact]
    public Task Delay_LetsFramesWait() => CheckWaitsAsync(() => Faults.Delay(TimeSpan.FromSeconds(5)));

    [Fact]
    public Task Throttle_LetsFramesWaitForTheirBytes() => CheckWaitsAsync(() => Faults.Throttle(bytesPerSecond: 10));

    [Fact]
    public async Task Corruption_FailsCallsTyped_AndEndsWithIt()
    {
        var shapes = Proxy<IShapes>();
        Assert.Equal(2, await shapes.TwiceAsync(1).WaitAsync(Bound));
        Faults.Corrupt(1, FrameDirection.ToServer);
        for (var i = 0; i < 5; i++)
        {
            using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(200)))
            {
                var end = await Record.ExceptionAsync(() => shapes.TwiceAsync(1).WaitAsync(Bound));
                Assert.True(end is null or GlueException, $"{end}");
            }
        }

        Faults.Heal();
        await Eventually.TrueAsync(
            async () => await Record.ExceptionAsync(() => shapes.TwiceAsync(1)) is null, Bound);
        Assert.Equal(6, await shapes.TwiceAsync(3).WaitAsync(Bound));
    }

    // What a damaged frame has silenced is given up in time.
    private protected override void ConfigureClient(GlueClientOptions options) =>
        options.HeartbeatInterval = GlueLimits.HeartbeatInterval;

    private async Task CheckWaitsAsync(Action ask)
    {
        var shapes = Proxy<IShapes>();
        Assert.Equal(2, await shapes.TwiceAsync(1).WaitAsync(Bound));
        ask();
        var before = Faults.FrameCount;
        var call = shapes.TwiceAsync(2);
        // The frame is on its way, and no time passes.
        await Eventually.TrueAsync(() => Faults.FrameCount > before, Bound);
        Assert.False(call.IsCompleted);
        await Eventually.TrueAsync(
            () =>
            {
                _time.Advance(TimeSpan.FromSeconds(5));
                return call.IsCompleted;
            },
            Bound);
        Assert.Equal(4, await call);
    }

    // What is decided for each frame is not public: nobody has to know but this.
    private static string[] FaultsOf(int seed)
    {
        var link = new FaultyLink(seed);
        link.CutAtRandom(0.1);
        link.Repeat(0.3);
        link.Drop(0.2, FrameDirection.ToServer);
        link.Corrupt(0.5);
        var next = typeof(FaultyLink).GetMethod("Next", BindingFlags.Instance | BindingFlags.NonPublic)!;
        return
        [
            .. Enumerable.Range(0, 200).Select(i => next.Invoke(
                link, [i % 3 == 0 ? FrameDirection.ToServer : FrameDirection.ToClient, 100])!.ToString()!),
        ];
    }
}
