using Cluster.Glue.References;
using Cluster.Glue.Sessions;
using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Cluster.Testing.Glue;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>What streams and callbacks owe to the link beneath them: cuts, ends, numbers, and nothing left
/// over.</summary>
[WithCanaryArrays]
[Collection(nameof(RunsAlone))]
public sealed class StreamLinkTests : DisturbedLinkTests
{
    private const int DroppedEach = 10;

    private ServerRuntime Server => Host.Services.GetRequiredService<ServerRuntime>();

    private ReferenceTable Table => Server.Links.Single().References;

    [Fact]
    [Trait("Case", "glue-46")]
    public async Task StreamsThroughCuts_LoseAndDoubleNothing()
    {
        var streams = Proxy<IStreams>();
        var expected = 0;
        await foreach (var number in streams.DoubleAsync(streams.CountAsync(10_000)))
        {
            Assert.Equal(2 * expected++, number);
            if (expected % 1000 == 0)
            {
                var direction = expected % 2000 == 0 ? FrameDirection.ToServer : FrameDirection.ToClient;
                Faults.CutAt(2, direction, isDelivered: expected % 3000 == 0);
            }
        }

        Assert.Equal(10_000, expected);
        Assert.True(Faults.StreamCount > 4);
    }

    [Fact]
    [Trait("Case", "glue-46")]
    public async Task StreamWhoseLinkEnds_FailsTyped_AfterTheItemsThatCame_AndItsProducerIsClosed()
    {
        await using var reading =
            Proxy<IStreams>().CountAsync(int.MaxValue).GetAsyncEnumerator();
        Assert.True(await reading.MoveNextAsync());
        Server.Links.Single().End(GlueErrorCode.LinkLost, "the test ends it");
        var gone = await Assert.ThrowsAsync<GlueException>(async () =>
        {
            while (await reading.MoveNextAsync().AsTask().WaitAsync(Bound))
                Assert.True(reading.Current > 0);
        });
        Assert.Equal((GlueErrorKind.Broken, GlueErrorCode.StreamGone), (gone.Kind, gone.Code));
        await Eventually.TrueAsync(() => Seen.Notes.Contains("closed"), Bound);
    }

    [Fact]
    [Trait("Case", "glue-47")]
    public async Task TenThousandStreams_ShareOneLink()
    {
        const int Items = 6;
        // Smaller than a stream, so that all producers are under way at once.
        await using var client = Connect(options => options.StreamWindowItems = 2);
        var streams = client.CreateProxy<IStreams>(Host.Address);
        var readings = new IAsyncEnumerator<int>[10_000];
        for (var first = 0; first < readings.Length; first += 1000)
        {
            await Task.WhenAll(Enumerable.Range(first, 1000).Select(async i =>
            {
                readings[i] = streams.CountAsync(Items).GetAsyncEnumerator();
                Assert.True(await readings[i].MoveNextAsync());
            })).WaitAsync(Bound);
        }

        Assert.Equal(readings.Length, Table.RunningStreams);
        await Task.WhenAll(readings.Select(async reading =>
        {
            var sum = reading.Current;
            while (await reading.MoveNextAsync())
                sum += reading.Current;
            Assert.Equal(Enumerable.Range(0, Items).Sum(), sum);
            await reading.DisposeAsync();
        })).WaitAsync(Bound);
        Assert.Single(Server.Links);
        await Eventually.TrueAsync(() => Table.ExportCount == 0, Bound);
    }

    [Fact]
    public async Task StreamThatNobodyReads_IsReleased()
    {
        await TakeWithoutReadingAsync();
        await Eventually.TrueAsync(() => Collect(() => Table.ExportCount == 0), Bound);
    }

    [Fact]
    public async Task ReadingThatIsDropped_StopsTheProducer()
    {
        await ReadOneAsync();
        await Eventually.TrueAsync(() => Collect(() => Seen.Notes.Contains("closed")), Bound);
    }

    [Fact]
    public async Task StreamsInItemsThatNobodyReads_AreGivenBack()
    {
        var streams = Proxy<IStreams>();
        for (var i = 0; i < 5; i++)
        {
            await foreach (var page in streams.BookAsync(1_000_000))
            {
                if (page.Title == "page 300")
                    break;
            }
        }

        await Eventually.TrueAsync(() => Collect(() => Table.ExportCount == 0), Bound);
    }

    [Fact]
    [Trait("Case", "glue-62")]
    public async Task CallbackToAClientThatHasGone_FailsTyped()
    {
        IHub other;
        await using (var second = Connect())
        {
            await second.CreateProxy<IHub>(Host.Address).KeepAsync(new Listener());
            other = Proxy<IHub>();
            Assert.Equal(4, await other.CallKeptAsync(2));
        }

        Assert.Equal(GlueErrorCode.ReferenceReleased, await other.FailureOfKeptAsync().WaitAsync(Bound));
    }

    [Fact]
    [Trait("Case", "glue-62")]
    public async Task CallbackUnderWay_ToAClientThatFallsSilent_FailsByItsHeartbeat()
    {
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.HeartbeatInterval = TimeSpan.FromMilliseconds(100);
            options.ResumeWindow = TimeSpan.FromMilliseconds(200);
        });
        var other = Client.CreateProxy<IHub>(host.Address);
        var silence = new FaultyLink(seed: 1);
        await using var second = Connect(faults: silence);
        var called = new TaskCompletionSource();
        var listener = new Listener
        {
            Answer = _ =>
            {
                called.TrySetResult();
                return new TaskCompletionSource<int>().Task;
            },
        };
        await second.CreateProxy<IHub>(host.Address).KeepAsync(listener);
        var call = other.FailureOfKeptAsync();
        await called.Task.WaitAsync(Bound);
        silence.Drop(1);
        Assert.Equal(GlueErrorCode.HeartbeatLost, await call.WaitAsync(Bound));
        silence.Heal();
    }

    [Fact]
    [Trait("Case", "glue-41")]
    public async Task CallbacksBeyondTheQueue_FailTyped()
    {
        await using var host = await GlueHost.StartAsync(
            options => options.MaxSendQueueBytes = GlueLimits.SendQueueBytesLowest);
        await Client.CreateProxy<IHub>(host.Address).KeepAsync(new Listener());
        var kept = (await host.Services.GetRequiredService<Hub>().KeptAsync())!;
        Assert.Equal(2, await kept.OnAsync(1).WaitAsync(Bound));
        Faults.Drop(1, FrameDirection.ToClient);
        Task[] calls;
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(200)))
            calls = [.. Enumerable.Range(0, 20).Select(_ => kept.FailAsync(new string('x', 8000)))];
        var codes = new HashSet<GlueErrorCode>();
        foreach (var call in calls)
            codes.Add((await Assert.ThrowsAsync<GlueException>(() => call.WaitAsync(Bound))).Code);
        Assert.Equal([GlueErrorCode.DeadlineAwaitingReply, GlueErrorCode.SendQueueFull], codes);
    }

    [Fact]
    [Trait("Case", "glue-63")]
    public async Task StormOfCallbacks_DoesNotBlockItself()
    {
        await using var host = await GlueHost.StartAsync(options => options.MaxCallsInFlight = 8);
        var hub = Client.CreateProxy<IHub>(host.Address);
        var listener = new Listener();
        listener.Answer = async depth => depth == 0 ? 0 : await hub.CallAsync(listener, depth - 1);
        var depths = await Task.WhenAll(
            Enumerable.Range(0, 200).Select(_ => hub.RecurseAsync(listener, 1))).WaitAsync(Bound);
        Assert.All(depths, depth => Assert.Equal(1, depth));
    }

    [Fact]
    [Trait("Case", "glue-63")]
    public async Task StormOfCallbacks_BehindOneCredit_IsAdmitted()
    {
        // More than the one, and than what a batch may bring beside it.
        const int Calls = 4_000;
        await using var host = await GlueHost.StartAsync(options =>
        {
            options.MaxCallsInFlight = 1;
            options.DefaultDeadline = Bound;
        });
        var hub = Client.CreateProxy<IHub>(host.Address);
        var insideCount = 0;
        var allInside = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var listener = new Listener();
        listener.Answer = async number =>
        {
            if (number > 0)
                return (await Task.WhenAll(Enumerable.Range(0, number).Select(_ => hub.CallAsync(listener, 0)))).Sum();
            if (Interlocked.Increment(ref insideCount) == Calls)
                allInside.SetResult();
            await allInside.Task;
            return 0;
        };
        Assert.Equal(Calls, await hub.RecurseAsync(listener, Calls).WaitAsync(Bound));
    }

    [Theory]
    [InlineData(2_000)]
    [Trait("Case", "glue-64")]
    public Task Registrations_LeaveNothingBehind(int count) => CheckRegistrationsAsync(count);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "glue-64")]
    public Task HundredThousandRegistrations_LeaveNothingBehind() => CheckRegistrationsAsync(100_000);

    [Fact]
    public async Task ReferencesMax_BoundsWhatOneLinkRefersTo()
    {
        await using var client = Connect(options => options.MaxReferences = 16);
        var hub = client.CreateProxy<IHub>(Host.Address);
        var kept = Enumerable.Range(0, 16).Select(_ => new Listener()).ToArray();
        foreach (var listener in kept)
            await hub.KeepAsync(listener);
        var failure = await Assert.ThrowsAsync<GlueException>(() => hub.KeepAsync(new Listener()));
        Assert.Equal((GlueErrorCode.ReferenceLimit, GlueDelivery.NotDelivered), (failure.Code, failure.Delivery));
        GlueReference.Release(kept[0]);
        await hub.KeepAsync(new Listener());
    }

    [Theory]
    [InlineData(16, 256 * 1024)]
    [InlineData(1_000_000, 16 * 1024)]
    public async Task StreamWindows_BoundHowFarTheProducerIsAhead(int items, int bytes)
    {
        await using var client = Connect(options =>
        {
            options.StreamWindowItems = items;
            options.StreamWindowBytes = bytes;
        });
        var streams = client.CreateProxy<IStreams>(Host.Address);
        await using var reading = streams.CountAsync(int.MaxValue).GetAsyncEnumerator();
        Assert.True(await reading.MoveNextAsync());
        Assert.Equal(0, await streams.SumAsync(streams.CountAsync(0)));
        // An item of a number takes ten bytes and its length; one piece may wait to be sent.
        var most = Math.Min(items, (bytes + (32 * 1024)) / 9) + 1;
        Assert.InRange(Seen.Produced, 1, most);
    }

    [Fact]
    [Trait("Case", "glue-43")]
    public Task SlowReader_LetsMemoryBeFlat() => CheckFlatAsync(static items => items >= 5000);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Case", "glue-43")]
    public async Task SlowReader_LetsMemoryBeFlat_ForTenMinutes()
    {
        var tenMinutes = Task.Delay(TimeSpan.FromMinutes(10));
        await CheckFlatAsync(items => items >= 5000 && tenMinutes.IsCompleted);
    }

    private static bool Collect(Func<bool> condition)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        return condition();
    }

    private async Task CheckFlatAsync(Func<int, bool> isOver)
    {
        const int ItemBytes = 1000;
        // The window, and a piece that is put together while the last one waits for credit.
        const int AheadMax = 2 + ((GlueLimits.StreamWindowBytes + (2 * GlueWire.BatchBytesMax)) / ItemBytes);
        const int GrowthMax = 8 * 1024 * 1024;
        var streams = Proxy<IStreams>();
        // Whose calls leave no notes behind.
        var shapes = Proxy<IShapes>();
        var count = 0;
        long before = 0;
        await foreach (var item in streams.EndlessAsync(ItemBytes))
        {
            Assert.Equal(ItemBytes, item.Length);
            // What a reader is slow for.
            Assert.Equal(2, await shapes.TwiceAsync(1));
            Assert.InRange(Seen.Produced, ++count, count + AheadMax);
            if (count == 1000)
                before = GC.GetTotalMemory(forceFullCollection: true);
            if (isOver(count))
                break;
        }

        Assert.InRange(GC.GetTotalMemory(forceFullCollection: true) - before, long.MinValue, GrowthMax);
    }

    private async Task CheckRegistrationsAsync(int count)
    {
        var hub = Proxy<IHub>();
        var listeners = new List<WeakReference>();
        for (var i = 0; i < count; i++)
            listeners.Add(await RegisterAsync(hub, isReleased: i % DroppedEach != 0));
        await hub.ForgetAsync();
        var own = Assert.Single(Client.Links).References;
        await Eventually.TrueAsync(() => Collect(() => Table.ImportCount == 0), Bound, "no proxies at the server");
        await Eventually.TrueAsync(() => own.ExportCount == 0, Bound, "no objects at their owner");
        Assert.Equal((0, 0), (Table.ExportCount, own.ImportCount));
        await Eventually.TrueAsync(
            () => Collect(() => !listeners.Exists(static one => one.IsAlive)), Bound, "no listener kept");
    }

    // One whose proxy is not released is given back when that is garbage.
    private static async Task<WeakReference> RegisterAsync(IHub hub, bool isReleased)
    {
        var listener = new Listener();
        await hub.KeepAsync(listener);
        if (isReleased)
            await hub.ReleaseAsync(listener);
        return new WeakReference(listener);
    }

    private async Task TakeWithoutReadingAsync()
    {
        await Proxy<IStreams>().TicksAsync(3);
        Assert.Equal(1, Table.ExportCount);
    }

    private async Task ReadOneAsync() =>
        Assert.True(await Proxy<IStreams>().CountAsync(int.MaxValue).GetAsyncEnumerator().MoveNextAsync());

    private protected override void ConfigureClient(GlueClientOptions options) =>
        options.ConfigureTypes = GlueHost.AllowTypes;
}
