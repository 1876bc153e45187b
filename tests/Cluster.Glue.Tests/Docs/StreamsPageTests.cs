namespace Cluster.Glue.Tests.Docs;

/// <summary>Runs what the page about streams and callbacks shows.</summary>
public sealed class StreamsPageTests
{
    // <snippet:contract>
    public interface IPrices
    {
        IAsyncEnumerable<decimal> WatchAsync(string symbol, CancellationToken cancellationToken = default);

        Task<int> ImportAsync(IAsyncEnumerable<decimal> prices);

        Task SubscribeAsync(IPriceListener listener);
    }

    public interface IPriceListener
    {
        Task OnPriceAsync(decimal price);
    }
    // </snippet:contract>

    [Fact]
    public async Task Streams_AsPrinted_AreRead()
    {
        await using var host = await StartAsync();
        var prices = GlueClient.Connect<IPrices>(host.Address);
        var seen = new List<decimal>();
        // <snippet:read>
        await foreach (var price in prices.WatchAsync("ABC"))
        {
            seen.Add(price);
            if (seen.Count == 3)
                break;                              // the service's iterator is closed, its finally blocks run
        }

        var count = await prices.ImportAsync(MakeAsync(1000));
        // </snippet:read>
        Assert.Equal([1, 2, 3], seen);
        Assert.Equal(1000, count);
    }

    [Fact]
    public async Task Callbacks_AsPrinted_AreCalled()
    {
        await using var host = await StartAsync();
        var prices = GlueClient.Connect<IPrices>(host.Address);
        // <snippet:callback>
        var board = new Board();
        await prices.SubscribeAsync(board);         // stays here; the service gets a proxy and calls it now or later

        var first = await board.First.Task;
        GlueReference.Release(board);               // further calls fail at the service
        // </snippet:callback>
        Assert.Equal(1, first);
    }

    private static Task<GlueHost> StartAsync() =>
        GlueHost.StartAsync(addServices: glue => glue.AddService<IPrices, Prices>());

    private static async IAsyncEnumerable<decimal> MakeAsync(int count)
    {
        for (var i = 1; i <= count; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }

    internal sealed class Board : IPriceListener
    {
        public TaskCompletionSource<decimal> First { get; } = new();

        public Task OnPriceAsync(decimal price)
        {
            First.TrySetResult(price);
            return Task.CompletedTask;
        }
    }

    internal sealed class Prices : IPrices
    {
        public IAsyncEnumerable<decimal> WatchAsync(string symbol, CancellationToken cancellationToken) =>
            MakeAsync(1_000_000);

        public async Task<int> ImportAsync(IAsyncEnumerable<decimal> prices)
        {
            var count = 0;
            await foreach (var price in prices)
                count += price > 0 ? 1 : 0;
            return count;
        }

        public Task SubscribeAsync(IPriceListener listener) => listener.OnPriceAsync(1);
    }
}
