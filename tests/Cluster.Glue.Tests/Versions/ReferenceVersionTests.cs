namespace Cluster.Glue.Tests.Versions;

/// <summary>Streams and callbacks between two builds: arguments are written anew with their types described, and keep
/// what they refer to; items and calls back are understood in both directions.</summary>
public sealed class ReferenceVersionTests
{
    private const string Older = """
        namespace Shop;

        public class Line { public int Count; public string Gone = "g"; }

        public class Batch { public IAsyncEnumerable<Line> Lines; public IListener Listener; public string Old = "old"; }

        public interface IListener { Task<int> OnAsync(Line line); }

        public interface IFeed
        {
            Task<int> SumAsync(Batch batch);
            IAsyncEnumerable<Line> GiveAsync(int count);
        }

        public sealed class Feed : IFeed
        {
            public async Task<int> SumAsync(Batch batch)
            {
                int sum = 0;
                await foreach (Line line in batch.Lines)
                    sum += await batch.Listener.OnAsync(line);
                return sum;
            }

            public IAsyncEnumerable<Line> GiveAsync(int count) => Program.Make(count);
        }

        public sealed class Listener : IListener
        {
            public Task<int> OnAsync(Line line) => Task.FromResult(10 * (int)line.Count);
        }

        public static class Program
        {
            public static async IAsyncEnumerable<Line> Make(int count)
            {
                for (int i = 0; i < count; i++)
                {
                    await Task.Yield();
                    yield return new Line { Count = i };
                }
            }

            public static async Task<string> Sum(IFeed feed) =>
                $"{await feed.SumAsync(new Batch { Lines = Make(5), Listener = new Listener() })}";

            public static async Task<string> Give(IFeed feed)
            {
                long sum = 0;
                await foreach (Line line in feed.GiveAsync(5))
                    sum += line.Count;
                return $"{sum}";
            }
        }
        """;

    private static readonly string Newer = Older
        .Replace("public int Count; public string Gone = \"g\";", "public string Added; public long Count;", StringComparison.Ordinal)
        .Replace("public string Old = \"old\";", "public int Priority;", StringComparison.Ordinal);

    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-95")]
    public async Task StreamsAndCallbacks_WorkBetweenBuilds(VersionTests.Binding binding)
    {
        foreach ((var caller, var server) in ((string, string)[])[(Older, Newer), (Newer, Older)])
        {
            await using var pair = await VersionedPair.StartAsync(caller, server, binding, "Shop.IFeed");
            Assert.Equal("100", await pair.CallAsync("Sum"));
            Assert.Equal("10", await pair.CallAsync("Give"));
        }
    }
}
