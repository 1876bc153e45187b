namespace Cluster.Glue.Tests.Semantics.Contexts;

/// <summary>
/// Callers that block a thread with a synchronization context: nothing of Glue goes on in that context, or the two
/// would wait for each other.
/// </summary>
public abstract class ContextSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int CallsAtOnce = 4;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public override void ConfigureClient(GlueClientOptions options)
    {
        base.ConfigureClient(options);
        options.CallsInFlightMax = CallsAtOnce;
    }

    [Fact]
    [Trait("Case", "glue-1")]
    public Task BlockingMember_IsAnswered_ThoughItIsTheFirstCall()
        => RunBlockedAsync(() => Assert.Equal(42, Proxy<IShapes>().Twice(21)));

    [Fact]
    public Task CallsThatWaitForRoom_AreAnswered() => RunBlockedAsync(() =>
    {
        IShapes shapes = Proxy<IShapes>();
        Task<int>[] calls = Enumerable.Range(0, 10 * CallsAtOnce).Select(shapes.TwiceAsync).ToArray();
        Task.WaitAll(calls, Bound);
        Assert.Equal(Enumerable.Range(0, calls.Length).Select(i => 2 * i), calls.Select(call => call.Result));
    });

    [Fact]
    public Task Streams_AreReadAndSent() => RunBlockedAsync(() =>
    {
        IStreams streams = Proxy<IStreams>();
        Assert.Equal([0, 1, 2], streams.CountAsync(3).ToBlockingEnumerable());
        Assert.Equal(6, Wait(streams.SumAsync(AsyncEnumerable.Range(0, 4))));
    });

    [Fact]
    public Task Disposal_Ends() => RunBlockedAsync(() =>
    {
        Assert.Equal(42, Wait(Proxy<IShapes>().TwiceAsync(21)));
        Assert.True(Client.DisposeAsync().AsTask().Wait(Bound));
    });

    private static T Wait<T>(Task<T> task)
    {
        Assert.True(task.Wait(Bound));
        return task.Result;
    }

    private static async Task RunBlockedAsync(Action work)
        => Assert.Equal(0, await BlockedContext.RunAsync(work).WaitAsync(Bound));
}
