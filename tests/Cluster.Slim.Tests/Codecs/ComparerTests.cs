using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance case G: collections whose comparer is an object of the graph.</summary>
[Trait("Case", "slim-G")]
public sealed class ComparerTests
{
    private static readonly Action<SlimOptions> WithComparers = options =>
        options.Allow<Modulo>().Allow<TextLength>().Allow<Weighted>().Allow<Backward>().Allow<Owned>()
            .Allow<Agreeing>();

    private readonly SlimSerializer _slim = Make();

    [Fact]
    public void OwnEquality_OfEveryCollection_IsUsedAfterwards()
    {
        Modulo modulo = new(10);
        Dictionary<int, string> map = new(modulo) { [1] = "one", [2] = "two", [15] = "five" };
        Check(map, back => back.Comparer, back => Assert.Equal(("one", "five"), (back[11], back[5])));
        Check(new HashSet<int>(modulo) { 1, 12 }, back => back.Comparer, back => Assert.Contains(2, back));
        Check(new ConcurrentDictionary<int, string>(map, modulo), b => b.Comparer, b => Assert.Equal("two", b[22]));
        Check(new OrderedDictionary<int, string>(map, modulo), b => b.Comparer, b => Assert.Equal("two", b[22]));
        Check(map.ToImmutableDictionary(modulo), b => b.KeyComparer, b => Assert.Equal("two", b[22]));
        Check(ImmutableHashSet.Create(modulo, 1, 12), b => b.KeyComparer, b => Assert.Contains(2, b));
        Check(map.ToFrozenDictionary(modulo), b => b.Comparer, b => Assert.Equal("two", b[22]));
        Check(
            map.Keys.ToFrozenSet(modulo),
            b => b.Comparer,
            b => Assert.Equal([true, false], Array.ConvertAll([22, 23], b.Contains)));
        Check(new Hashtable(modulo) { [1] = "one" }, null, b => Assert.Equal("one", b[21]));
        Check(new OrderedDictionary(modulo) { { 1, "one" } }, null, b => Assert.Equal("one", b[(object)21]));
        Check(new ByNumber(modulo) { "1", "2" }, b => b.Comparer, b => Assert.Equal("2", b[12]));
        Check(new Tagged(modulo) { [3] = "x" }, b => b.Comparer, b => Assert.Equal(("x", "tag"), (b[13], b.Tag)));
    }

    [Fact]
    public void OwnOrder_OfEveryCollection_IsUsedAfterwards()
    {
        Backward backward = new();
        SortedDictionary<int, string> map = new(backward) { [1] = "one", [3] = "three", [2] = "two" };
        Check(map, b => b.Comparer, b => Assert.Equal([3, 2, 1], b.Keys));
        Check(new SortedList<int, string>(map, backward), b => b.Comparer, b => Assert.Equal([3, 2, 1], b.Keys));
        Check(new SortedSet<int>(map.Keys, backward), b => b.Comparer, b => Assert.Equal([3, 2, 1], b));
        Check(map.ToImmutableSortedDictionary(backward), b => b.KeyComparer, b => Assert.Equal([3, 2, 1], b.Keys));
        Check(map.Keys.ToImmutableSortedSet(backward), b => b.KeyComparer, b => Assert.Equal([3, 2, 1], b));
        Check(new SortedList(backward) { [1] = "a", [2] = "b" }, null, b => Assert.Equal(2, b.GetKey(0)));
        Check(new ListDictionary(backward) { [1] = "a", [2] = "b" }, null, b => Assert.Equal("b", b[2]));
        PriorityQueue<string, int> queue = new([("a", 1), ("b", 2)], backward);
        Check(queue, b => b.Comparer, b => Assert.Equal("b", b.Peek()));
    }

    [Fact]
    public void OwnComparerOfText_IsUsedAfterwards()
    {
        Check(
            new NameValueCollection(new TextLength()) { { "ab", "1" }, { "cd", "2" } },
            null,
            back => Assert.Equal(["1", "2"], back.GetValues("xx")!));
        Check(
            new HashSet<string>(new TextLength()) { "ab" },
            back => back.Comparer,
            back => Assert.Contains("xx", back));
    }

    [Fact]
    public void ComparerOfValues_OfImmutableMaps_IsKept()
    {
        var map =
            ImmutableDictionary.Create<string, int>(StringComparer.Ordinal, new Modulo(10)).Add("a", 1);
        Assert.Same(map.SetItem("a", 11), map);
        var back = _slim.DeepClone(map);
        Assert.Same(back.SetItem("a", 11), back);
        var sorted = _slim.DeepClone(
            ImmutableSortedDictionary.Create<string, int>(null, new Modulo(10)).Add("a", 1));
        Assert.Same(sorted.SetItem("a", 11), sorted);
    }

    [Fact]
    public void SharedComparer_OfSeveralCollections_StaysShared()
    {
        Modulo modulo = new(7);
        var back = _slim.DeepClone(new Shared
        {
            First = new(modulo) { [1] = 1 }, Second = new(modulo) { 1 }, Third = [modulo], Fourth = modulo,
        });
        Assert.Same(back.First.Comparer, back.Second.Comparer);
        Assert.Same(back.First.Comparer, back.Third[0]);
        Assert.Same(back.First.Comparer, back.Fourth);
        Assert.Contains(8, back.Second);
    }

    [Fact]
    public void Comparer_ThatLeadsBackToItsCollection_IsANodeLikeAnyOther()
    {
        Owned comparer = new();
        Dictionary<string, int> map = new(comparer) { ["a"] = 1 };
        comparer.Owner = map;
        var back = _slim.DeepClone(map);
        Assert.Same(back, Assert.IsType<Owned>(back.Comparer).Owner);
        Assert.Equal(1, back["A"]);
    }

    [Fact]
    public void Comparer_ThatNeedsAnotherCollection_FindsItFilled()
    {
        Weighted comparer = new(new Dictionary<string, int> { ["a"] = 3, ["b"] = 2, ["c"] = 1 });
        SortedSet<string> set = new(comparer) { "a", "b", "c" };
        Assert.Equal(["c", "b", "a"], _slim.DeepClone(set));
        Dictionary<Name, SortedSet<string>> outer = new() { [new Name("k")] = set };
        Assert.Equal(["c", "b", "a"], Make(o => o.Allow<Name>()).DeepClone(outer)[new Name("k")]);
    }

    [Fact]
    public void Comparer_BelowTheDepthLimit_IsFilledBeforeItIsUsed()
    {
        Weighted comparer = new(new Dictionary<string, int> { ["a"] = 2, ["b"] = 1 });
        Link chain = new() { Held = new SortedSet<string>(comparer) { "a", "b" } };
        for (var i = 0; i < 150; i++)
            chain = new Link { Next = chain };
        var back = _slim.DeepClone(chain);
        while (back.Next is not null)
            back = back.Next;
        Assert.Equal(["b", "a"], back.Held!);
    }

    [Fact]
    public void Comparer_NotAllowed_IsRefusedWithItsPath()
    {
        var error = Assert.Throws<SlimTypeNotAllowedException>(
            () => new SlimSerializer().Serialize(new Shared { First = new(new Modulo(3)) }));
        Assert.Equal("Shared.First.Comparer", error.MemberPath);
        error = Assert.Throws<SlimTypeNotAllowedException>(
            () => new SlimSerializer().Serialize(ImmutableHashSet.Create(new Modulo(3), 1)));
        Assert.EndsWith(".Comparer", error.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void Comparer_MadeFromADelegate_IsRefusedWithItsPath()
    {
        SortedSet<int> set = new(Comparer<int>.Create((x, y) => y - x)) { 1 };
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => Make(o => o.Allow<Comparer<int>>()).Serialize(set));
        Assert.Contains("write a comparer class", error.Message, StringComparison.Ordinal);
        Assert.Contains(".Comparer", error.MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void Comparer_ThatEqualsEverything_IsNotTakenForTheDefault()
    {
        var back = _slim.DeepClone(new HashSet<int>(new Agreeing()) { 1 });
        Assert.IsType<Agreeing>(back.Comparer);
    }

    [Fact]
    public void Comparer_ThatThrows_IsOneOfOurExceptions()
    {
        HashSet<int> set = new(new Modulo(5)) { 1 };
        var slim = Make();
        var message = slim.Serialize(set);
        var position = message.AsSpan().LastIndexOf((byte)5);
        message[position] = 0;
        Assert.Throws<SlimMalformedException>(() => slim.Deserialize<HashSet<int>>(message));
    }

    [Fact]
    public void MissingComparer_IsRefusedOnRead()
    {
        HashSet<int> set = new(new Modulo(5));
        var message = _slim.Serialize(set);
        byte[] forged = [.. message.AsSpan(0, message.AsSpan().IndexOf((byte)7) + 1), 0, 0];
        Assert.Contains("comparer of a collection is null", Assert.Throws<SlimMalformedException>(
            () => _slim.Deserialize<HashSet<int>>(forged)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void HiddenSettings_OfTheFramework_AreFound()
    {
        foreach (var type in (Type[])[typeof(SortedList), typeof(ListDictionary), typeof(OrderedDictionary),
            typeof(NameValueCollection), typeof(HybridDictionary), typeof(Comparer), typeof(CaseInsensitiveComparer)])
            Assert.True(Cluster.Slim.Codecs.NonGeneric.HiddenSettings.IsFound(type), type.Name);
    }

    private static void Check<T>(T source, Func<T, object>? comparerOf, Action<T> check) =>
        RoundTripMatrix.Check(
            source,
            back =>
            {
                check(back);
                if (comparerOf is not null)
                    Assert.Equal(comparerOf(source).GetType(), comparerOf(back).GetType());
            },
            WithComparers);

    private static SlimSerializer Make(Action<SlimOptions>? configure = null)
    {
        SlimOptions options = new();
        WithComparers(options);
        configure?.Invoke(options);
        return new SlimSerializer(options);
    }

    private sealed class Modulo(int divisor) : IEqualityComparer<int>, IEqualityComparer
    {
        private readonly int _divisor = divisor;

        public bool Equals(int x, int y) => x % _divisor == y % _divisor;

        public int GetHashCode(int obj) => obj % _divisor;

        bool IEqualityComparer.Equals(object? x, object? y) => Equals((int)x!, (int)y!);

        int IEqualityComparer.GetHashCode(object obj) => GetHashCode((int)obj);
    }

    private sealed class Backward : Comparer<int>
    {
        public override int Compare(int x, int y) => y.CompareTo(x);
    }

    private sealed class TextLength : StringComparer
    {
        public override int Compare(string? x, string? y) => x!.Length - y!.Length;

        public override bool Equals(string? x, string? y) => x!.Length == y!.Length;

        public override int GetHashCode(string obj) => obj.Length;
    }

    private sealed class Weighted(Dictionary<string, int> weights) : IComparer<string>
    {
        private readonly Dictionary<string, int> _weights = weights;

        public int Compare(string? x, string? y) => _weights[x!] - _weights[y!];
    }

    private sealed class Owned : EqualityComparer<string>
    {
        public object? Owner;

        public override bool Equals(string? x, string? y) => string.Equals(x, y, StringComparison.OrdinalIgnoreCase);

        public override int GetHashCode(string obj) => obj.Length;
    }

    private sealed class Agreeing : IEqualityComparer<int>
    {
        public bool Equals(int x, int y) => true;

        public int GetHashCode(int obj) => 0;

        public override bool Equals(object? obj) => true;

        public override int GetHashCode() => 0;
    }

    private sealed record Name(string Text);

    private sealed class Shared
    {
        public Dictionary<int, int> First = [];
        public HashSet<int> Second = [];
        public object[] Third = [];
        public IEqualityComparer<int>? Fourth;
    }

    private sealed class Link
    {
        public Link? Next;
        public SortedSet<string>? Held;
    }

    private sealed class ByNumber(IEqualityComparer<int> comparer) : KeyedCollection<int, string>(comparer)
    {
        protected override int GetKeyForItem(string item) => int.Parse(item, CultureInfo.InvariantCulture);
    }

    private sealed class Tagged(IEqualityComparer<int> comparer) : Dictionary<int, string>(comparer)
    {
        public string Tag = "tag";
    }
}
