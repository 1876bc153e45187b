using System.Collections.ObjectModel;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Arrays and collections, with content, comparer and identity.</summary>
public sealed class CollectionTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    [Trait("Case", "slim-G")]
    public void Sequences_ComeBackInOrder()
    {
        CheckSequence(new List<string> { "a", "b" });
        CheckSequence(new Queue<string>(["a", "b", "c"]));
        CheckSequence(new Stack<string>(["a", "b", "c"]));
        CheckSequence(new LinkedList<string>(["a", "b", "c"]));
        CheckSequence(new HashSet<string> { "a", "b", "c" });
        CheckSequence(new SortedSet<string>(StringComparer.Ordinal) { "c", "b", "a" });
        CheckSequence(new ConcurrentQueue<string>(["a", "b"]));
        CheckSequence(new ConcurrentStack<string>(["a", "b"]));
        CheckSequence(new Collection<string> { "a", "b" });
        CheckSequence(new ObservableCollection<string> { "a", "b" });
        CheckSequence(new ReadOnlyCollection<string>(["a", "b"]));
        CheckSequence(ImmutableList.Create("a", "b"));
        CheckSequence(ImmutableHashSet.Create("a", "b"));
    }

    [Fact]
    [Trait("Case", "slim-G")]
    public void Maps_ComeBackWithEveryEntry()
    {
        var source = Enumerable.Range(0, 300).ToDictionary(i => "k" + i, i => i);
        CheckMap(source);
        CheckMap(new SortedDictionary<string, int>(source, StringComparer.Ordinal));
        CheckMap(new SortedList<string, int>(source, StringComparer.Ordinal));
        CheckMap(new ConcurrentDictionary<string, int>(source));
        CheckMap(new ReadOnlyDictionary<string, int>(source));
        CheckMap(source.ToImmutableDictionary());
    }

    [Fact]
    [Trait("Case", "slim-G")]
    public void Comparers_ArePreserved()
    {
        Assert.Same(
            StringComparer.OrdinalIgnoreCase,
            _slim.DeepClone(new HashSet<string>(StringComparer.OrdinalIgnoreCase)).Comparer);
        Assert.Same(StringComparer.Ordinal, _slim.DeepClone(new SortedSet<string>(StringComparer.Ordinal)).Comparer);
        Assert.Same(EqualityComparer<int>.Default, _slim.DeepClone(new Dictionary<int, int>()).Comparer);
        Assert.Same(
            ReferenceEqualityComparer.Instance,
            _slim.DeepClone(new Dictionary<object, int>(ReferenceEqualityComparer.Instance)).Comparer);
        Assert.Same(
            StringComparer.InvariantCultureIgnoreCase,
            _slim.DeepClone(new ConcurrentDictionary<string, int>(StringComparer.InvariantCultureIgnoreCase)).Comparer);
    }

    [Fact]
    [Trait("Case", "slim-C")]
    public void Arrays_KeepRankBoundsAndType()
    {
        int[,] grid = { { 1, 2, 3 }, { 4, 5, 6 } };
        Assert.Equal(grid, _slim.DeepClone(grid));
        var cube = new string?[2, 1, 2];
        cube[1, 0, 1] = "x";
        Assert.Equal(cube, _slim.DeepClone(cube));
        Assert.Equal(0, _slim.DeepClone(new int[0, 5]).GetLength(0));
        var shifted = Array.CreateInstance(typeof(uint), [3], [2]);
        shifted.SetValue(7u, 3);
        var back = (Array)new SlimSerializer(new SlimOptions().Allow(shifted.GetType())).DeepClone<object>(shifted);
        Assert.Equal(shifted.GetType(), back.GetType());
        Assert.Equal(7u, back.GetValue(3));
        int[][] jagged = [[1], null!, []];
        Assert.Equal(jagged, _slim.DeepClone(jagged));
    }

    [Fact]
    [Trait("Case", "slim-C")]
    public void Arrays_StoredInWiderPlaces_KeepTheirType()
    {
        var numbers = (int[])(object)new uint[] { 1 };
        Wide wide = new() { Items = new string[] { "a" }, Numbers = numbers, Known = ["x"], Uints = [1] };
        var back = _slim.DeepClone(wide);
        Assert.IsType<string[]>(back.Items);
        Assert.IsType<uint[]>((object)back.Numbers);
    }

    [Fact]
    [Trait("Case", "slim-C")]
    public void Array_ThatContainsItself_ComesBackAsCycle()
    {
        var self = new object[2];
        self[0] = self;
        var back = _slim.DeepClone(self);
        Assert.Same(back, back[0]);
    }

    [Fact]
    public void Collections_ThatContainThemselves_ComeBackAsCycles()
    {
        List<object> list = [];
        list.Add(list);
        var back = _slim.DeepClone(list);
        Assert.Same(back, back[0]);
        Dictionary<string, object> map = [];
        map["self"] = map;
        var mapBack = _slim.DeepClone(map);
        Assert.Same(mapBack, mapBack["self"]);
    }

    [Fact]
    public void Views_ShareTheirInnerCollection()
    {
        List<int> inner = [1];
        var back = _slim.DeepClone(new Viewed { Inner = inner, View = inner.AsReadOnly() });
        back.Inner.Add(2);
        Assert.Equal([1, 2], back.View!);
    }

    [Fact]
    public void Segments_ShareTheirArray()
    {
        byte[] bytes = [1, 2, 3, 4];
        var back = _slim.DeepClone(new Sliced
        {
            Bytes = bytes, Segment = new(bytes, 1, 2), Memory = bytes.AsMemory(2), Text = "ab".AsMemory(),
        });
        back.Bytes[2] = 9;
        Assert.Equal([2, 9], back.Segment.ToArray());
        Assert.Equal([9, 4], back.Memory.ToArray());
        Assert.Equal("ab", back.Text.ToString());
        Assert.Null(_slim.DeepClone(default(ArraySegment<int>)).Array);
    }

    [Fact]
    public void ImmutableArrays_ComeBack_AlsoTheDefaultOne()
    {
        Assert.True(_slim.DeepClone(default(ImmutableArray<int>)).IsDefault);
        Assert.Equal([1, 2], _slim.DeepClone(ImmutableArray.Create(1, 2)).ToArray());
        Assert.Equal(["a"], _slim.DeepClone(ImmutableArray.Create("a")).ToArray());
    }

    [Fact]
    public void Tuples_ComeBack_AlsoInCycles()
    {
        Assert.Equal(Tuple.Create(1, "a", 2.5), _slim.DeepClone(Tuple.Create(1, "a", 2.5)));
        Assert.Equal(Tuple.Create(1, 2, 3, 4, 5, 6, 7, 8), _slim.DeepClone(Tuple.Create(1, 2, 3, 4, 5, 6, 7, 8)));
        var link = new object[1];
        var tuple = Tuple.Create(link);
        link[0] = tuple;
        var back = _slim.DeepClone(tuple);
        Assert.Same(back, back.Item1[0]);
    }

    [Fact]
    public void ImmutableList_ThatWouldContainItself_IsRefusedOnWrite()
    {
        var link = new object[1];
        ImmutableList<object[]> list = [link];
        link[0] = list;
        var error = Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(list));
        Assert.Contains("contains itself", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "slim-G")]
    public void Queue_WhoseRingIsWrapped_KeepsItsOrder()
    {
        Queue<int> queue = new(capacity: 4);
        for (var i = 0; i < 4; i++)
            queue.Enqueue(i);
        Assert.Equal((0, 1), (queue.Dequeue(), queue.Dequeue()));
        queue.Enqueue(4);
        Assert.Equal([2, 3, 4], new SlimSerializer().DeepClone(queue));
    }

    [Fact]
    [Trait("Case", "slim-G")]
    public void Map_ThatIsItsOwnKey_FindsItself()
    {
        Dictionary<object, object> map = new(ReferenceEqualityComparer.Instance);
        map.Add(map, map);
        var back = new SlimSerializer().DeepClone(map);
        Assert.Same(back, back[back]);
        Assert.Single(back);
    }

    [Fact]
    [Trait("Case", "slim-G")]
    public void HashSet_OfRecordsThatReachBackToIt_Works()
    {
        Team team = new();
        team.Members.Add(new Member("a", team));
        team.Members.Add(new Member("b", team));
        var back = _slim.DeepClone(team);
        Assert.Contains(new Member("b", back), back.Members);
        Assert.Equal(2, back.Members.Count);
    }

    [Fact]
    public void NestedSets_AsKeys_AreCompleteBeforeTheirOwners()
    {
        Dictionary<Wrapped, int> map = new() { [new Wrapped(["x", "y"])] = 1 };
        Assert.Equal(1, _slim.DeepClone(map)[new Wrapped(["y", "x"])]);
    }

    [Fact]
    public void SharedValues_AcrossCollections_StayShared()
    {
        Box box = new();
        var back = _slim.DeepClone(new Pair { List = [box, box], Map = new() { ["a"] = box } });
        Assert.Same(back.List[0], back.List[1]);
        Assert.Same(back.List[0], back.Map["a"]);
    }

    private void CheckSequence<T>(T source)
        where T : IEnumerable<string>
    {
        var back = _slim.DeepClone(source);
        Assert.Equal(source.ToArray(), back.ToArray());
        Assert.IsType(source.GetType(), back);
        Assert.Equal(source.ToArray(), _slim.DeepClone(new Place<T> { Value = source }).Value!.ToArray());
    }

    private void CheckMap<T>(T source)
        where T : IReadOnlyDictionary<string, int>
    {
        var back = _slim.DeepClone(source);
        Assert.Equal(source.Count, back.Count);
        Assert.All(source, pair => Assert.Equal(pair.Value, back[pair.Key]));
        if (source is Dictionary<string, int> or SortedDictionary<string, int> or SortedList<string, int>)
            Assert.Equal(source.Keys.ToArray(), back.Keys.ToArray());
    }

    private sealed class Place<T>
    {
        public T? Value;
    }

    private sealed class Wide
    {
        public object[] Items = [];
        public int[] Numbers = [];
        public string[] Known = [];
        public uint[] Uints = [];
    }

    private sealed class Viewed
    {
        public List<int> Inner = [];
        public IReadOnlyList<int>? View;
    }

    private sealed class Sliced
    {
        public byte[] Bytes = [];
        public ArraySegment<byte> Segment;
        public Memory<byte> Memory;
        public ReadOnlyMemory<char> Text;
    }

    private sealed record Member(string Name, Team Team);

    private sealed class Team
    {
        public HashSet<Member> Members { get; } = [];
    }

    private sealed class Wrapped(HashSet<string> names)
    {
        private readonly HashSet<string> _names = names;

        public override bool Equals(object? obj) => obj is Wrapped other && _names.SetEquals(other._names);

        public override int GetHashCode() =>
            _names.Aggregate(0, (hash, name) => hash ^ name.GetHashCode(StringComparison.Ordinal));
    }

    private sealed class Box;

    private sealed class Pair
    {
        public List<Box> List = [];
        public Dictionary<string, Box> Map = [];
    }
}
