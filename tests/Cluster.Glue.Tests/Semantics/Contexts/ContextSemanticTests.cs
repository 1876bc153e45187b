using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics.Contexts;

/// <summary>What Glue does not take over from a caller: the synchronization context of a thread that waits, for the two
/// would wait for each other, and the execution context, whose values would live as long as the connection.</summary>
public abstract class ContextSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int CallsAtOnce = 4;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);
    private static readonly AsyncLocal<object?> Ambient = new();

    public override void ConfigureClient(GlueClientOptions options)
    {
        base.ConfigureClient(options);
        options.MaxCallsInFlight = CallsAtOnce;
    }

    [Fact]
    [Trait("Case", "glue-1")]
    public Task BlockingMember_IsAnswered_ThoughItIsTheFirstCall() =>
        RunBlockedAsync(() => Assert.Equal(42, Proxy<IShapes>().Twice(21)));

    [Fact]
    public Task CallsThatWaitForRoom_AreAnswered() => RunBlockedAsync(() =>
    {
        var shapes = Proxy<IShapes>();
        var calls = Enumerable.Range(0, 10 * CallsAtOnce).Select(shapes.TwiceAsync).ToArray();
        Task.WaitAll(calls, Bound);
        Assert.Equal(Enumerable.Range(0, calls.Length).Select(i => 2 * i), calls.Select(call => call.Result));
    });

    [Fact]
    public Task Streams_AreReadAndSent() => RunBlockedAsync(() =>
    {
        var streams = Proxy<IStreams>();
        Assert.Equal([0, 1, 2], streams.CountAsync(3).ToBlockingEnumerable());
        Assert.Equal(6, Wait(streams.SumAsync(AsyncEnumerable.Range(0, 4))));
    });

    [Fact]
    public Task Disposal_Ends() => RunBlockedAsync(() =>
    {
        Assert.Equal(42, Wait(Proxy<IShapes>().TwiceAsync(21)));
        Assert.True(Client.DisposeAsync().AsTask().Wait(Bound));
    });

    [Fact]
    public async Task ExecutionContextOfTheFirstCaller_IsNotKept()
    {
        var value = await CallWithAmbientValueAsync();
        await Eventually.TrueAsync(
            () =>
            {
                GC.Collect();
                return !value.IsAlive;
            },
            Bound);
        Assert.Equal(42, await Proxy<IShapes>().TwiceAsync(21));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private async Task<WeakReference> CallWithAmbientValueAsync()
    {
        object value = new();
        Ambient.Value = value;
        Assert.Equal(42, await Proxy<IShapes>().TwiceAsync(21));
        // Each of them begins something that stays: a substream, a stream.
        var large = new byte[200_000];
        Assert.Equal(large, await Proxy<IGraphs>().EchoBytesAsync(large));
        Assert.Equal(6, await Proxy<IStreams>().SumAsync(AsyncEnumerable.Range(0, 4)));
        return new WeakReference(value);
    }

    private static T Wait<T>(Task<T> task)
    {
        Assert.True(task.Wait(Bound));
        return task.Result;
    }

    private static async Task RunBlockedAsync(Action work) =>
        Assert.Equal(0, await BlockedContext.RunAsync(work).WaitAsync(Bound));
}
