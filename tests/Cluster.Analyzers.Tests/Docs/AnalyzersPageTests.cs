namespace Cluster.Analyzers.Tests.Docs;

/// <summary>The code of docs/analyzers.md: it compiles, and the analyzers report what the page says.</summary>
public sealed class AnalyzersPageTests
{
    [Fact]
    public Task Contract_OfThePage_IsReported() => CheckAsync(
        """
        // <snippet:contract>
        public interface IStock
        {
            event Action<string> SoldOut;                           // reported: pass an interface that the server calls back
            bool TryGet(string sku, out int count);                 // reported: return a result
            Task<Stream> OpenPictureAsync(string sku);              // reported: IAsyncEnumerable<byte[]> for what is large
        }
        // </snippet:contract>

        public static class Use { public static void Add(ClusterBuilder builder) => builder.AddClient<IStock>(); }
        """,
        "CLU0003", "CLU0001", "CLU0001", "CLU0001");

    [Fact]
    public Task Value_OfThePage_IsReported() => CheckAsync(
        """
        // <snippet:value>
        public sealed class Cart
        {
            public List<Line> Lines { get; } = [];
        }

        public sealed class Line
        {
            public string Sku { get; set; } = "";

            public Task? Reservation { get; set; }                  // Value Cart.Lines[].Reservation: Task cannot be carried
        }
        // </snippet:value>

        public static class Use { public static void Add(ClusterBuilder builder) => builder.AddState<string, Cart>("carts"); }
        """,
        "CLU0002");

    [Fact]
    public Task Wait_OfThePage_IsReported() => CheckAsync(
        """
        public sealed class Stock
        {
            // <snippet:wait>
            public int Count(IPartitionedState<string, int> counts, string sku) =>
                counts.GetAsync(sku).AsTask().Result;                   // reported

            public async Task<int> CountAsync(IPartitionedState<string, int> counts, string sku) =>
                await counts.GetAsync(sku);
            // </snippet:wait>
        }
        """,
        "CLU0004");

    [Fact]
    public Task Operation_OfThePage_IsReported() => CheckAsync(
        """
        public sealed class Stock
        {
            public int Count { get; set; }
            public DateTimeOffset ReservedAt { get; set; }
            public DateTimeOffset ChangedAt { get; set; }
        }

        // <snippet:operation>
        public sealed class Reserve(int count, TimeProvider clock) : IStateOperation<Stock, bool>  // reported: clock
        {
            public bool Apply(ref Stock? stock, in OperationContext context)
            {
                if (stock is null || stock.Count < count)
                    return false;
                stock.Count -= count;
                stock.ReservedAt = clock.GetUtcNow();
                stock.ChangedAt = DateTimeOffset.UtcNow;            // CLU0006: use context.UtcNow
                return true;
            }
        }
        // </snippet:operation>
        """,
        "CLU0005", "CLU0006");

    [Fact]
    public Task Span_OfThePage_IsReported() => CheckAsync(
        """
        public sealed class Filling
        {
            // <snippet:span>
            public Span<int> Fill()
            {
                using var array = new SafeArray<int>(1000);
                var span = array.AsSpan();
                span.Fill(7);
                return span;                                            // reported: the array ends with the method
            }
            // </snippet:span>
        }
        """,
        "CLU0007");

    [Fact]
    public void EachRule_HasAHeadingOfItsOwn()
    {
        var page = File.ReadAllText(Path.Combine(Cluster.Testing.RepositoryFolder.Path, "docs/analyzers.md"));
        var ids = SourceCheck.Analyzers.SelectMany(one => one.SupportedDiagnostics).Select(one => one.Id).Distinct();
        Assert.All(ids, id => Assert.Contains($"\n## {id}\n", page, StringComparison.Ordinal));
    }

    private static async Task CheckAsync(string source, params string[] expected)
    {
        var found = await SourceCheck.AnalyzeAsync(SourceCheck.Compile(source));
        Assert.Equal(expected, found.Select(one => one.Id));
    }
}
