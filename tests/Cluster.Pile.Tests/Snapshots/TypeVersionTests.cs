using Cluster.Pile.Tests.Host;
using Cluster.Pile.Tests.Mapped;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Acceptance case 32, types: processes of two builds of one program take turns with the objects of a pile.
/// Fields come, go and are renamed, and one type is missing in the newer build.</summary>
[Trait("Case", "pile-32")]
public sealed class TypeVersionTests
{
    private const string Older = """
        namespace Shop;

        public struct Size { public int Width; public int Height; }

        public class Noted { public string Note; }

        public sealed class Line { public int Count; public string Sku; }

        public sealed class Gone { public int Number; public override string ToString() => $"gone {Number}"; }

        public sealed class Basket
        {
            public Line Line;
            public override string ToString() => $"basket {Line.Count} {Line.Sku}";
        }

        public sealed class Order : Noted
        {
            public int Id; public string Old; public Line First; public List<Line> Lines = new(); public Size Size;
            public object Any; public Gone Left; public Dictionary<string, Line> ByName = new();
            public override string ToString() => $"order {Id} {Old} {Note} {First?.Count} {Lines.Count} {Size.Width} {Any}";
        }

        public static class Program
        {
            public static void Configure(PileOptions options) { }

            // Without pointers: the first process.
            public static IEnumerable<string> Run(LocalPile pile, PilePointer[] pointers)
            {
                if (pointers.Length > 0)
                    return pointers.Select(pointer => $"{pile.Get<object>(pointer)}");
                var line = new Line { Count = 2, Sku = "a" };
                var order = new Order
                {
                    Id = 7, Old = "old", Note = "note", First = line, Size = new Size { Width = 3, Height = 4 },
                    Any = new Size { Width = 5 }, Left = new Gone(),
                };
                order.Lines.AddRange([line, new Line { Count = 9, Sku = "b" }]);
                order.ByName["a"] = line;
                object[] all =
                [
                    order, new Basket { Line = line }, new Gone { Number = 1 }, new List<Gone> { new() { Number = 2 } },
                    "text", new Version(1, 2),
                ];
                return all.Select(one => $"{pile.Put(one).ToUInt64()}").ToList();
            }
        }
        """;

    private const string Newer = """
        namespace Shop;

        public struct Size { public long Height; public long Width; public int Depth; }

        public class Noted { }

        public sealed class Line { public string Sku; public long Quantity; public string Added; }

        public sealed class Cart { public Line Line; public override string ToString() => $"cart {Line.Quantity}"; }

        public sealed class Order : Noted
        {
            public string Note; public Dictionary<string, Line> ByName; public List<Line> Lines; public Line First;
            public long Id; public Size Size; public object Any; public string Voucher;
            public override string ToString() =>
                $"order {Id} {Note} {First.Quantity} {First.Added ?? "-"} {Lines.Count} {Lines[1].Quantity} "
                    + $"{Size.Width} {Size.Height} {((Size)Any).Width} {Voucher ?? "-"} "
                    + $"{ReferenceEquals(First, Lines[0])} {ReferenceEquals(First, ByName["a"])}";
        }

        public static class Program
        {
            public static void Configure(PileOptions options) =>
                options.Alias("Shop.Basket", typeof(Cart)).Alias("Count", typeof(Line), "Quantity");

            public static IEnumerable<string> Run(LocalPile pile, PilePointer[] pointers)
            {
                foreach (var pointer in pointers)
                    yield return Read(pile, pointer);
                yield return $"projected {pile.Project(pointers[0], Projection.Create<Order, long>(one => one.First.Quantity))}";
                var order = pile.Get<Order>(pointers[0]);
                order.Voucher = "new";
                yield return $"{pile.Put(order).ToUInt64()}";
                yield return $"counted {pile.GetStatistics().Objects}";
            }

            private static string Read(LocalPile pile, PilePointer pointer)
            {
                try { return $"{pile.Get<object>(pointer)}"; }
                catch (Exception e) { return $"{e.GetType().Name}: {e.Message}"; }
            }
        }
        """;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private static readonly Lazy<byte[]> OlderImage = new(() => TypeBuild.Compile(Older));
    private static readonly Lazy<byte[]> NewerImage = new(() => TypeBuild.Compile(Newer));

    [Theory]
    [InlineData(TypeVersions.Snapshot)]
    [InlineData(TypeVersions.Mapped)]
    [InlineData(TypeVersions.Killed)]
    public async Task Program_OfAnotherBuild_ReadsByFields_RefusesAMissingTypeByName_AndLosesNothing(string mode)
    {
        using var builds = new TestFolder();
        using var folder = new TestFolder();
        var older = TypeBuild.Write(builds.FullName, OlderImage.Value);
        var newer = TypeBuild.Write(builds.FullName, NewerImage.Value);

        var pointers = await RunAsync(mode, older, folder, []);
        var lines = await RunAsync(mode, newer, folder, pointers);
        Assert.Equal("order 7 note 2 - 2 9 3 4 5 - True True", lines[0]);
        Assert.Equal("cart 2", lines[1]);
        Assert.StartsWith("SlimTypeNotAllowedException: Object: Shop.Gone, Shop is no type", lines[2]);
        Assert.Contains("List`1[Shop.Gone, Shop] is no type", lines[3], StringComparison.Ordinal);
        Assert.Equal(["text", "1.2", "projected 2"], lines[4..7]);
        Assert.Equal($"counted {pointers.Length + 1}", lines[^1]);

        // The older build reads what the newer one has written, and what that one could not read.
        lines = await RunAsync(mode, older, folder, [.. pointers, lines[^2]]);
        Assert.Equal(
            [
                "order 7 old note 2 2 3 Shop.Size", "basket 2 a", "gone 1",
                "System.Collections.Generic.List`1[Shop.Gone]", "text", "1.2", "order 7  note 0 2 3 Shop.Size",
            ],
            lines);
    }

    private static async Task<string[]> RunAsync(string mode, string build, TestFolder folder, string[] pointers)
    {
        await using var process = ChildProcess.StartDotnet(
            typeof(TypeVersions).Assembly.Location, [nameof(TypeVersions), mode, build, folder.FullName, .. pointers]);
        var exitCode = await process.WaitForExitAsync(Patience);
        Assert.True(mode == TypeVersions.Killed ? exitCode != 0 : exitCode == 0, process.Output);
        return [.. process.Lines];
    }
}
