using Cluster.Slim;

namespace Cluster.Pile.Tests.Objects;

/// <summary>Acceptance case 13 of the pile: graphs in and out.</summary>
[Trait("Case", "pile-13")]
public sealed class GraphTests
{
    [Fact]
    public void Graph_CyclicSharedAndPolymorphic_KeepsItsShape()
    {
        using var pile = Piles.Create();
        var root = new Folder("root", null);
        var folder = new Folder("sub", root);
        root.Entries.Add(folder);
        root.Entries.Add(new Document("a", root) { Length = 5, Tags = ["x", "y"], Changed = DateTime.UnixEpoch });
        root.Entries.Add(folder);
        var pointer = pile.Put(root);

        var copy = pile.Get<Folder>(pointer);
        Assert.NotSame(root, copy);
        Assert.Same(copy.Entries[0], copy.Entries[2]);
        Assert.Same(copy, copy.Entries[0].Parent);
        var document = Assert.IsType<Document>(copy.Entries[1]);
        Assert.Equal((5, DateTime.UnixEpoch), (document.Length, document.Changed));
        Assert.Equal(["x", "y"], document.Tags!);
        Assert.NotSame(copy, pile.Get<Folder>(pointer));
    }

    [Fact]
    public void Get_AsBaseTypeOrObject_GivesTheRealOne()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put<Entry>(new Document("a", null));
        Assert.IsType<Document>(pile.Get<Entry>(pointer));
        Assert.IsType<Document>(pile.Get<object>(pointer));
        Assert.Throws<InvalidCastException>(() => pile.Get<Folder>(pointer));
        Assert.Throws<InvalidCastException>(() => pile.GetBytes(pointer));
        Assert.Throws<InvalidCastException>(() => pile.GetString(pointer));
    }

    [Fact]
    public void Values_OfAllSorts_ComeBackEqual()
    {
        using var pile = Piles.Create();
        Assert.Equal(42, pile.Get<int>(pile.Put(42)));
        Assert.Equal((1, "two"), pile.Get<(int, string)>(pile.Put((1, "two"))));
        Assert.Equal(DayOfWeek.Friday, pile.Get<DayOfWeek>(pile.Put(DayOfWeek.Friday)));
        Assert.Equal(12.5m, pile.Get<decimal>(pile.Put(12.5m)));
        Assert.Equal(new Point(1, 2), pile.Get<Point>(pile.Put(new Point(1, 2))));
        Assert.Equal([1, 2, 3], pile.Get<int[]>(pile.Put<int[]>([1, 2, 3])));
        var map = new Dictionary<string, List<int>> { ["a"] = [1], ["b"] = [] };
        Assert.Equal(map, pile.Get<Dictionary<string, List<int>>>(pile.Put(map)));
    }

    [Fact]
    public void TextAndBytes_ThroughTheGenericForm_AreStoredAsSuch()
    {
        using var pile = Piles.Create();
        var text = pile.Put<object>("text");
        var bytes = pile.Put<object>(new byte[] { 1, 2 });
        Assert.Equal("text", pile.GetString(text));
        Assert.Equal("text", pile.Get<string>(text));
        Assert.Equal([1, 2], pile.GetBytes(bytes));
        Assert.Equal([1, 2], pile.Get<byte[]>(bytes));
        Assert.Equal(4, pile.SizeOf(text));
        pile.Put<object>(text, new byte[] { 3 });
        Assert.Equal([3], pile.Get<byte[]>(text));
        pile.Put<object>(text, "again");
        Assert.Equal("again", pile.Get<object>(text));
    }

    [Fact]
    public void UserBytes_AreNeverReadAsGraph()
    {
        using var pile = Piles.Create();
        var message = new byte[64];
        var length = pile.Read(pile.Put(new Point(3, 4)), message);
        var pointer = pile.Put(message.AsSpan(0, length));
        Assert.Throws<InvalidCastException>(() => pile.Get<Point>(pointer));
        Assert.IsType<byte[]>(pile.Get<object>(pointer));
    }

    [Fact]
    public void Graph_ReplacedInPlace_GrowsBehindItsPointer()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new List<string> { "a" });
        for (var size = 2; size < 3000; size *= 3)
        {
            pile.Put(pointer, Enumerable.Range(0, size).Select(i => $"item {i}").ToList());
            Assert.Equal(size, pile.Get<List<string>>(pointer).Count);
        }

        Assert.Equal(1, pile.GetStatistics().Links);
        Assert.True(pile.Delete(pointer));
        PileChecks.AllSlotsAreFree(pile);
    }

    [Fact]
    public void Graph_ThatSlimRefuses_LeavesThePileAsItWas()
    {
        using var pile = Piles.Create();
        var pointer = pile.Put(new Point(1, 1));
        Assert.ThrowsAny<SlimException>(() => pile.Put(new Refused(() => { })));
        Assert.ThrowsAny<SlimException>(() => pile.Put(pointer, new Refused(() => { })));
        Assert.Equal(new Point(1, 1), pile.Get<Point>(pointer));
        Assert.Equal(1, pile.GetStatistics().Objects);
        Assert.Throws<ArgumentNullException>(() => pile.Put<object>(null!));
    }

    [Fact]
    public void Types_FirstSeenByManyThreadsAtOnce_AllWork()
    {
        using var pile = Piles.Create();
        var values = new object[] { 1, 2L, 3.0, 'c', (short)4, new Point(5, 6), (1, 2), ("a", 1), Guid.Empty };
        Parallel.For(0, 400, i =>
        {
            var value = values[i % values.Length];
            Assert.Equal(value, pile.Get<object>(pile.Put(value)));
        });
        Assert.Equal(400, pile.GetStatistics().Objects);
    }

    [Fact]
    public void Types_AHundred_AddedWhileOthersRead_AllComeBack()
    {
        using var pile = Piles.Create();
        var parts = new object[]
        {
            1, 2L, 3.5, 4.5m, 'c', "text", Guid.NewGuid(), DateTime.UtcNow, new Point(5, 6), DayOfWeek.Friday,
        };
        var values = (from left in parts from right in parts select PairOf(left, right)).ToArray();
        Assert.Equal(100, values.Select(value => value.GetType()).Distinct().Count());
        var stored = new PilePointer[values.Length];
        var readers = 0;
        var threads = Enumerable.Range(0, 6).Select(thread => new Thread(() =>
        {
            // Two threads put, each from its end; the others get what is there meanwhile.
            for (var i = 0; thread < 2 && i < values.Length; i++)
            {
                var at = thread == 0 ? i : values.Length - 1 - i;
                lock (stored)
                    stored[at] = stored[at].IsDefault ? pile.Put(values[at]) : stored[at];
            }

            for (var i = 0; thread >= 2 && i < values.Length;)
            {
                PilePointer pointer;
                lock (stored)
                    pointer = stored[i];
                if (pointer.IsDefault)
                {
                    Thread.Yield();
                    continue;
                }

                if (!values[i++].Equals(pile.Get<object>(pointer)))
                    return;
            }

            Interlocked.Increment(ref readers);
        })).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => Assert.True(thread.Join(TimeSpan.FromMinutes(2))));
        Assert.Equal(threads.Count, readers);
        Assert.Equal(100, pile.GetStatistics().Objects);
    }

    [Fact]
    public void Nullables_EnumsAndStructs_WithinAGraph_ComeBack_AndDelegatesAreRefused()
    {
        using var pile = Piles.Create();
        var graph = new Mixed(null, DayOfWeek.Monday, new Point(1, 2), null, [null, 3]);
        Assert.Equivalent(graph, pile.Get<Mixed>(pile.Put(graph)), strict: true);
        graph = new Mixed(7, null, null, new Mixed(1, default, default, null, []), []);
        Assert.Equivalent(graph, pile.Get<Mixed>(pile.Put(graph)), strict: true);
        var refusal = Assert.ThrowsAny<SlimException>(() => pile.Put(new object[] { graph, new Refused(() => { }) }));
        Assert.Contains(nameof(Refused.Action), refusal.Message);
        Assert.Equal(2, pile.GetStatistics().Objects);
    }

    private static object PairOf(object left, object right) =>
        Activator.CreateInstance(typeof(Pair<,>).MakeGenericType(left.GetType(), right.GetType()), left, right)!;

    private sealed record Pair<TLeft, TRight>(TLeft Left, TRight Right);

    private sealed record Mixed(int? Number, DayOfWeek? Day, Point? Place, Mixed? Inner, int?[] Numbers);

    private abstract class Entry(string name, Folder? parent)
    {
        public string Name { get; } = name;

        public Folder? Parent { get; } = parent;
    }

    private sealed class Folder(string name, Folder? parent) : Entry(name, parent)
    {
        public List<Entry> Entries { get; } = [];
    }

    private sealed class Document(string name, Folder? parent) : Entry(name, parent)
    {
        public int Length { get; set; }

        public string[]? Tags { get; set; }

        public DateTime? Changed { get; set; }
    }

    private readonly record struct Point(int X, int Y);

    private sealed record Refused(Action Action);
}
