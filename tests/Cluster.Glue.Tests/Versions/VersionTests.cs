namespace Cluster.Glue.Tests.Versions;

/// <summary>Two builds of one contract call each other, in both directions and over every binding that serializes: what
/// the bind result says is what calls do. Acceptance cases 95 and 97.</summary>
public sealed class VersionTests
{
    private const string Older = """
        namespace Shop;

        public enum Size { Small = 1, Large = 2 }

        public class Line { public int Count; public string Sku; public string Gone; }

        public class Order { public int Id; public Line First; public List<Line> Lines = new(); public Size Size; }

        public class Clash { public int Value; }

        public interface IOrders
        {
            Task<Order> PlaceAsync(Order order);
            ValueTask<int> CountAsync(Line line, int times);
            Task<string> OldNameAsync(int value);
            Task<string> RemovedAsync();
            Task<string> TakeClashAsync(Clash clash);
            Task<Clash> MakeClashAsync();
            Task ThrowAsync(string message);
            [OneWay] Task NoteAsync(Line line);
            Task<string> NotedAsync();
        }

        public sealed class Orders : IOrders
        {
            private string _noted = "";

            public Task<Order> PlaceAsync(Order order)
            {
                order.Id++;
                order.Lines.Add(order.First);
                return Task.FromResult(order);
            }

            public ValueTask<int> CountAsync(Line line, int times) => new(line.Count * times);

            public Task<string> OldNameAsync(int value) => Task.FromResult("old " + value);

            public Task<string> RemovedAsync() => Task.FromResult("removed");

            public Task<string> TakeClashAsync(Clash clash) => Task.FromResult("never");

            public Task<Clash> MakeClashAsync() => Task.FromResult(new Clash());

            public Task ThrowAsync(string message) => throw new InvalidOperationException(message);

            public Task NoteAsync(Line line) { _noted = line.Sku + line.Count; return Task.CompletedTask; }

            public Task<string> NotedAsync() => Task.FromResult(_noted);
        }

        public static class Program
        {
            public static async Task<string> Place(IOrders orders)
            {
                var line = new Line { Count = 2, Sku = "a", Gone = "g" };
                var order = new Order { Id = 1, First = line, Lines = { line }, Size = Size.Large };
                var back = await orders.PlaceAsync(order);
                return $"{back.Id} {back.First.Count} {back.First.Sku} {back.First.Gone ?? "-"} {back.Size} "
                    + $"{back.Lines.Count} {ReferenceEquals(back.First, back.Lines[1])}";
            }

            public static async Task<string> Count(IOrders orders) =>
                $"{await orders.CountAsync(new Line { Count = 3 }, 7)}";

            public static Task<string> Renamed(IOrders orders) => orders.OldNameAsync(5);

            public static Task<string> Removed(IOrders orders) => orders.RemovedAsync();

            public static Task<string> TakeClash(IOrders orders) => orders.TakeClashAsync(new Clash());

            public static async Task<string> MakeClash(IOrders orders) => $"{await orders.MakeClashAsync()}";

            public static async Task<string> Throw(IOrders orders) { await orders.ThrowAsync("why"); return ""; }

            public static async Task<string> Note(IOrders orders)
            {
                await orders.NoteAsync(new Line { Count = 4, Sku = "n" });
                string noted = "";
                while (noted.Length == 0)
                    noted = await orders.NotedAsync();
                return noted;
            }
        }
        """;

    private const string Newer = """
        namespace Shop;

        public enum Size : long { Small = 1, Large = 2, Huge = 3 }

        public class Line { public string Added = "new"; public string Sku; public long Count; }

        public class Order { public Size Size; public List<Line> Lines = new(); public Line First; public long Id; }

        public class Clash { public string Value; }

        public interface IOrders
        {
            Task<Order> PlaceAsync(Order order);
            ValueTask<int> CountAsync(Line line, int times);
            [Alias("OldNameAsync")] Task<string> NewNameAsync(int value);
            Task<string> AddedAsync();
            Task<string> TakeClashAsync(Clash clash);
            Task<Clash> MakeClashAsync();
            Task ThrowAsync(string message);
            [OneWay] Task NoteAsync(Line line);
            Task<string> NotedAsync();
        }

        public sealed class Orders : IOrders
        {
            private string _noted = "";

            public Task<Order> PlaceAsync(Order order)
            {
                order.Id++;
                order.Lines.Add(order.First);
                return Task.FromResult(order);
            }

            public ValueTask<int> CountAsync(Line line, int times) => new((int)line.Count * times);

            public Task<string> NewNameAsync(int value) => Task.FromResult("new " + value);

            public Task<string> AddedAsync() => Task.FromResult("added");

            public Task<string> TakeClashAsync(Clash clash) => Task.FromResult("never");

            public Task<Clash> MakeClashAsync() => Task.FromResult(new Clash());

            public Task ThrowAsync(string message) => throw new InvalidOperationException(message);

            public Task NoteAsync(Line line) { _noted = line.Sku + line.Count; return Task.CompletedTask; }

            public Task<string> NotedAsync() => Task.FromResult(_noted);
        }

        public static class Program
        {
            public static async Task<string> Place(IOrders orders)
            {
                var line = new Line { Count = 2, Sku = "a" };
                var order = new Order { Id = 1, First = line, Lines = { line }, Size = Size.Large };
                var back = await orders.PlaceAsync(order);
                return $"{back.Id} {back.First.Count} {back.First.Sku} {back.First.Added ?? "-"} {back.Size} "
                    + $"{back.Lines.Count} {ReferenceEquals(back.First, back.Lines[1])}";
            }

            public static async Task<string> Count(IOrders orders) =>
                $"{await orders.CountAsync(new Line { Count = 3 }, 7)}";

            public static async Task<string> TooLarge(IOrders orders) =>
                $"{await orders.CountAsync(new Line { Count = 1L << 40 }, 1)}";

            public static Task<string> Renamed(IOrders orders) => orders.NewNameAsync(5);

            public static Task<string> Added(IOrders orders) => orders.AddedAsync();

            public static Task<string> TakeClash(IOrders orders) => orders.TakeClashAsync(new Clash());

            public static async Task<string> MakeClash(IOrders orders) => $"{await orders.MakeClashAsync()}";

            public static async Task<string> Throw(IOrders orders) { await orders.ThrowAsync("why"); return ""; }

            public static async Task<string> Note(IOrders orders)
            {
                await orders.NoteAsync(new Line { Count = 4, Sku = "n" });
                string noted = "";
                while (noted.Length == 0)
                    noted = await orders.NotedAsync();
                return noted;
            }
        }
        """;

    public enum Binding
    {
        Link,
        Unary,
        InProcess,
    }

    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-95")]
    public async Task OlderCaller_WorksWithANewerServer(Binding binding)
    {
        await using var pair = await VersionedPair.StartAsync(Older, Newer, binding);
        Assert.Equal("2 2 a - Large 2 True", await pair.CallAsync("Place"));
        Assert.Equal("21", await pair.CallAsync("Count"));
        Assert.Equal("new 5", await pair.CallAsync("Renamed"));
        Assert.Equal("n4", await pair.CallAsync("Note"));
        await CheckRefused(pair, "Removed", GlueErrorCode.UnknownMethod, "RemovedAsync");
        await CheckClash(pair);
    }

    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-95")]
    public async Task NewerCaller_WorksWithAnOlderServer(Binding binding)
    {
        await using var pair = await VersionedPair.StartAsync(Newer, Older, binding);
        Assert.Equal("2 2 a - Large 2 True", await pair.CallAsync("Place"));
        Assert.Equal("21", await pair.CallAsync("Count"));
        Assert.Equal("old 5", await pair.CallAsync("Renamed"));
        Assert.Equal("n4", await pair.CallAsync("Note"));
        await CheckRefused(pair, "TooLarge", GlueErrorCode.ArgumentsNotReadable, "Count");
        await CheckRefused(pair, "Added", GlueErrorCode.UnknownMethod, "AddedAsync");
        await CheckClash(pair);
    }

    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-95")]
    public async Task FirstCall_OfADescribedMethod_MayBeAny(Binding binding)
    {
        foreach (var first in new[] { "Count", "Note", "Place" })
        {
            await using var pair = await VersionedPair.StartAsync(Older, Newer, binding);
            Task<string>[] calls = [.. Enumerable.Range(0, 20).Select(_ => pair.CallAsync(first))];
            Assert.Single((await Task.WhenAll(calls)).Distinct());
        }
    }

    /// <summary>Who has the alias knows both names, who has not knows the old one only.</summary>
    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-95")]
    public async Task RenamedField_IsUnderstoodByItsAlias_AndNotByBuildsOfBefore(Binding binding)
    {
        const string Before = """
            namespace Shop;
            public sealed class Cart { public string Items = "none"; public int Count; }
            public interface IOrders { Task<string> TakeAsync(Cart cart); Task<Cart> MakeAsync(); }
            public sealed class Orders : IOrders
            {
                public Task<string> TakeAsync(Cart cart) => Task.FromResult(cart.Items + cart.Count);
                public Task<Cart> MakeAsync() => Task.FromResult(new Cart { Items = "made", Count = 2 });
            }
            public static class Program
            {
                public static Task<string> Take(IOrders orders) => orders.TakeAsync(new Cart { Items = "taken", Count = 1 });
                public static async Task<string> Make(IOrders orders)
                {
                    var cart = await orders.MakeAsync();
                    return cart.Items + cart.Count;
                }
            }
            """;
        var after = Before
            .Replace("public string Items", "[Alias(\"Items\")] public string Skus", StringComparison.Ordinal)
            .Replace("cart.Items", "cart.Skus", StringComparison.Ordinal)
            .Replace("{ Items =", "{ Skus =", StringComparison.Ordinal);
        await using (var pair = await VersionedPair.StartAsync(Before, after, binding))
        {
            Assert.Equal("taken1", await pair.CallAsync("Take"));
            Assert.Equal("2", await pair.CallAsync("Make"));
        }

        await using (var pair = await VersionedPair.StartAsync(after, Before, binding))
        {
            Assert.Equal("1", await pair.CallAsync("Take"));
            Assert.Equal("made2", await pair.CallAsync("Make"));
        }
    }

    private static async Task CheckClash(VersionedPair pair)
    {
        await CheckRefused(pair, "TakeClash", GlueErrorCode.LayoutMismatch, "Value was written as");
        await CheckRefused(pair, "MakeClash", GlueErrorCode.LayoutMismatch, "Value was written as");
        Assert.Equal("why", (await Assert.ThrowsAsync<InvalidOperationException>(() => pair.CallAsync("Throw"))).Message);
    }

    private static async Task CheckRefused(VersionedPair pair, string method, GlueErrorCode code, string mentioned)
    {
        for (var round = 0; round < 2; round++)
        {
            var exception = await Assert.ThrowsAsync<GlueException>(() => pair.CallAsync(method));
            Assert.Equal(code, exception.Code);
            Assert.Equal((GlueErrorKind.Refused, GlueDelivery.NotDelivered), (exception.Kind, exception.Delivery));
            Assert.Contains(mentioned, exception.Message, StringComparison.Ordinal);
        }
    }

    private const string BeforeTheMove = """
        namespace Shop
        {
            public interface IItems { Task<string> SaveAsync(Shop.Models.Item item); Task<Shop.Models.Item> LoadAsync(); }

            public sealed class Items : IItems
            {
                public Task<string> SaveAsync(Shop.Models.Item item) => Task.FromResult(item.Name + item.Parts[0].Weight);
                public Task<Shop.Models.Item> LoadAsync() => Task.FromResult(Program.New("loaded"));
            }

            public static class Program
            {
                public static Shop.Models.Item New(string name) =>
                    new() { Name = name, Parts = { new Shop.Models.Part { Weight = 5 } } };
                public static Task<string> Save(IItems items) => items.SaveAsync(New("saved"));
                public static async Task<string> Load(IItems items)
                {
                    var item = await items.LoadAsync();
                    return item.Name + item.Parts[0].Weight;
                }
            }
        }

        namespace Shop.Models
        {
            public class Item { public string Name; public List<Part> Parts = new(); }
            public struct Part { public int Weight; }
        }
        """;

    [Theory]
    [CombinatorialBindings]
    [Trait("Case", "glue-97")]
    public async Task MovedTypes_AreUnderstoodByTheirAlias_InBothDirections(Binding binding)
    {
        var after = BeforeTheMove
            .Replace("Shop.Models", "Warehouse.Things", StringComparison.Ordinal)
            .Replace("public class Item", "[Alias(\"Shop.Models.Item\")] public class Item", StringComparison.Ordinal)
            .Replace("public struct Part", "[Alias(\"Shop.Models.Part\")] public struct Part", StringComparison.Ordinal);
        await using (var pair = await VersionedPair.StartAsync(BeforeTheMove, after, binding, "Shop.IItems"))
        {
            Assert.Equal("saved5", await pair.CallAsync("Save"));
            Assert.Equal("loaded5", await pair.CallAsync("Load"));
        }

        await using (var pair = await VersionedPair.StartAsync(after, BeforeTheMove, binding, "Shop.IItems"))
        {
            Assert.Equal("saved5", await pair.CallAsync("Save"));
            Assert.Equal("loaded5", await pair.CallAsync("Load"));
        }
    }
}
