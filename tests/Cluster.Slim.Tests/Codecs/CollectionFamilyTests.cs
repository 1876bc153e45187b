using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>The less common collections, and user classes derived from collections.</summary>
[Trait("Case", "slim-G")]
public sealed class CollectionFamilyTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Families_ComeBackInOrder()
    {
        Check(new ConcurrentBag<string>(["a", "b", "c"]));
        Check(ImmutableQueue.Create("a", "b"));
        Check(ImmutableStack.Create("a", "b"));
        Check(ImmutableSortedSet.Create(StringComparer.Ordinal, "b", "a"));
        Check(new StringCollection { "a", null!, "b" });
        Check(new ArrayList { "a", 1, null });
        Check(new Queue(new object[] { 1, "b" }));
        Check(new Stack(new object[] { 1, "b" }));
        Check(new[] { "x", "y", "z" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase), ordered: false);
        Check(new[] { 5, 7, 9 }.ToFrozenSet(), ordered: false);
        Check(FrozenSet<int>.Empty);
    }

    [Fact]
    public void MapFamilies_FindEveryKey()
    {
        var source = Enumerable.Range(0, 200).ToDictionary(i => "k" + i, i => i);
        CheckMap(source, new OrderedDictionary<string, int>(source));
        CheckMap(source, source.ToImmutableSortedDictionary(StringComparer.Ordinal));
        CheckMap(source, source.ToFrozenDictionary());
        CheckMap(source, source.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase));
        IReadOnlyDictionary<string, int> place = source.ToFrozenDictionary();
        Assert.Equal(7, _slim.DeepClone(place)["k7"]);
        var table = _slim.DeepClone(new Hashtable { ["a"] = 1, [2] = "b" });
        Assert.Equal((1, "b"), ((int)table["a"]!, (string)table[2]!));
    }

    [Fact]
    public void PriorityQueue_KeepsItsHeap()
    {
        PriorityQueue<string, int> queue = new(Enumerable.Range(0, 50).Select(i => ("e" + i, (i * 37) % 50)));
        var back = _slim.DeepClone(queue);
        Assert.Equal(queue.UnorderedItems.ToArray(), back.UnorderedItems.ToArray());
        while (queue.TryDequeue(out var element, out var priority))
        {
            Assert.True(back.TryDequeue(out var same, out var equal));
            Assert.Equal((element, priority), (same, equal));
        }
    }

    [Fact]
    public void Frozen_BehindItsInterface_WithRecordKeys_FindsThem()
    {
        Item item = new("a", 1);
        var back = _slim.DeepClone(new Place { Map = new Dictionary<Item, int> { [item] = 5 }.ToFrozenDictionary() });
        Assert.Equal(5, back.Map![new Item("a", 1)]);
        Assert.IsAssignableFrom<FrozenDictionary<Item, int>>(back.Map);
    }

    [Fact]
    public void DerivedCollections_KeepFieldsAndContent()
    {
        var tagged = _slim.DeepClone(new Tagged(1) { "a", "b" });
        Assert.Equal(["a", "b"], tagged);
        Assert.Equal(("kept", 1), (tagged.Tag, tagged.Made));

        Prices prices = new("eur") { ["A"] = 1m };
        var pricesBack = _slim.DeepClone(prices);
        Assert.Equal((1m, "eur"), (pricesBack["a"], pricesBack.Currency));
        Assert.Same(StringComparer.OrdinalIgnoreCase, pricesBack.Comparer);

        var items = _slim.DeepClone(new Items { new("a", 1), new("b", 2) });
        Assert.Equal(2, items["b"].Count);

        var audited = _slim.DeepClone(new Audited("log") { 1, 2 });
        Assert.Equal([1, 2], audited);
        Assert.Equal("log", audited.Name);
    }

    [Fact]
    public void DerivedCollection_ThatHoldsItself_IsACycleAgain()
    {
        Nest nest = [];
        nest.Parent = nest;
        nest.Add(nest);
        var back = _slim.DeepClone(nest);
        Assert.Same(back, back[0]);
        Assert.Same(back, back.Parent);
    }

    [Fact]
    public void CultureComparers_ArePreserved()
    {
        var turkish = StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), CompareOptions.IgnoreCase);
        var back = _slim.DeepClone(new HashSet<string>(turkish) { "i" });
        Assert.Equal(turkish, back.Comparer);
        var sorted = _slim.DeepClone(new SortedSet<string>(turkish) { "b", "a" });
        Assert.Equal(["a", "b"], sorted);
    }

    [Fact]
    public void Lazy_WithAValue_ComesBack_AndWithoutOneIsRefused()
    {
        Lazy<List<int>> lazy = new(() => [1, 2]);
        Assert.Contains("no value yet", Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(lazy)).Message, StringComparison.Ordinal);
        _ = lazy.Value;
        Assert.Equal([1, 2], _slim.DeepClone(lazy).Value);
    }

    [Fact]
    public void Expando_KeepsItsMembers_AndIsCapped()
    {
        dynamic source = new ExpandoObject();
        source.Name = "n";
        source.Count = 3;
        dynamic back = _slim.DeepClone<ExpandoObject>((ExpandoObject)source);
        Assert.Equal("n", (string)back.Name);
        Assert.Equal(3, (int)back.Count);
        IDictionary<string, object?> large = new ExpandoObject();
        for (var i = 0; i < 1_025; i++)
            large["m" + i] = i;
        Assert.Throws<SlimLimitException>(() => _slim.Serialize((ExpandoObject)large));
    }

    [Fact]
    public void Sequences_OfMemory_ComeBack()
    {
        ReadOnlySequence<byte> one = new(new byte[] { 1, 2, 3 });
        Assert.Equal([1, 2, 3], _slim.DeepClone(one).ToArray());
        Assert.True(_slim.DeepClone(default(ReadOnlySequence<int>)).IsEmpty);
    }

    [Fact]
    public void Sequences_OfManySegments_KeepEveryItem()
    {
        int[] numbers = [.. Enumerable.Range(-50, 300)];
        byte[] bytes = [.. numbers.Select(static n => (byte)n)];
        string?[] texts = [.. numbers.Select(static n => n % 3 == 0 ? null : "text " + n)];
        foreach (var length in (int[])[1, 7, 299])
        {
            CheckSequence(SegmentedSequence.Of(bytes, length), bytes);
            CheckSequence(SegmentedSequence.Of(numbers, length), numbers);
            CheckSequence(SegmentedSequence.Of(texts, length), texts);
        }

        CheckSequence(SegmentedSequence.Random(bytes, seed: 1), bytes);
        CheckSequence(SegmentedSequence.Random(numbers, seed: 2).Slice(20, 200), numbers[20..220]);
    }

    [Fact]
    [Trait("Case", "slim-A")]
    public void EncodingsAndTimeZones_ComeBackByName()
    {
        foreach (var encoding in (Encoding[])
            [Encoding.UTF8, new UTF8Encoding(false), Encoding.Unicode, Encoding.ASCII, Encoding.Latin1])
        {
            var back = _slim.DeepClone(encoding);
            Assert.Equal(encoding, back);
            Assert.Equal(encoding.GetPreamble(), back.GetPreamble());
        }

        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize<Encoding>(new UTF8Encoding(true, true)));
        Assert.Same(TimeZoneInfo.Utc, _slim.DeepClone(TimeZoneInfo.Utc));
    }

    [Fact]
    public void Lookups_AreRefusedClearly()
    {
        var lookup = new[] { 1, 2 }.ToLookup(i => i);
        Assert.IsAssignableFrom<SlimException>(Record.Exception(() => _slim.Serialize(lookup)));
    }

    private static void CheckSequence<T>(ReadOnlySequence<T> sequence, T[] items)
    {
        Assert.False(sequence.IsSingleSegment);
        RoundTripMatrix.Check(sequence, back => Assert.Equal(items, back.ToArray()));
    }

    private void Check<T>(T source, bool ordered = true)
        where T : IEnumerable
    {
        object?[] expected = [.. source.Cast<object?>()];
        object?[] back = [.. _slim.DeepClone(source).Cast<object?>()];
        if (ordered)
            Assert.Equal(expected, back);
        else
            Assert.Equal(expected.ToHashSet(), back.ToHashSet());
    }

    private void CheckMap<T>(Dictionary<string, int> source, T map)
        where T : IReadOnlyDictionary<string, int>
    {
        var back = _slim.DeepClone(map);
        Assert.Equal(source.Count, back.Count);
        Assert.All(source, pair => Assert.Equal(pair.Value, back[pair.Key]));
    }

    private sealed record Item(string Name, int Count);

    private sealed class Place
    {
        public IReadOnlyDictionary<Item, int>? Map;
    }

    private sealed class Tagged(int made) : List<string>
    {
        public string Tag = "kept";

        public int Made { get; } = made;
    }

    private sealed class Prices(string currency) : Dictionary<string, decimal>(StringComparer.OrdinalIgnoreCase)
    {
        public string Currency { get; } = currency;
    }

    private sealed class Items : KeyedCollection<string, Item>
    {
        protected override string GetKeyForItem(Item item) => item.Name;
    }

    private sealed class Audited(string name) : Collection<int>
    {
        public string Name { get; } = name;

        protected override void InsertItem(int index, int item)
        {
            if (Name.Length == 0)
                throw new InvalidOperationException();
            base.InsertItem(index, item);
        }
    }

    private sealed class Nest : List<Nest>
    {
        public Nest? Parent;
    }
}
