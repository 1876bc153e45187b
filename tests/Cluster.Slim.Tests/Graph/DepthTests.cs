using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Dynamic;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Graph;

/// <summary>Acceptance case E: no depth overflows the stack, whatever the containers; all on a thread with 256 KiB,
/// where types are met, planned and compiled at the deepest point, too.</summary>
[Trait("Case", "slim-E")]
public sealed class DepthTests
{
    // Where nothing is emitted, more calls lie between two levels, and code that is not optimized yet takes more for each.
    private static readonly int StackBytes = RuntimeFeature.IsDynamicCodeSupported ? 256 * 1024 : 512 * 1024;
    private const int Million = 1_000_000;

    // Bodies wait from 96 on, again and again.
    private const int Levels = 2_000;

    private static readonly Dictionary<string, Func<object?, object>> WithBody = new()
    {
        ["array"] = v => new[] { v },
        ["grid"] = v => new object?[1, 1] { { v } },
        ["list"] = v => new List<object?> { v },
        ["queue"] = v => new Queue<object?>([v]),
        ["stack"] = v => new Stack<object?>([v]),
        ["linked list"] = v => new LinkedList<object?>([v]),
        ["concurrent queue"] = v => new ConcurrentQueue<object?>([v]),
        ["concurrent stack"] = v => new ConcurrentStack<object?>([v]),
        ["concurrent bag"] = v => new ConcurrentBag<object?> { v },
        ["collection"] = v => new Collection<object?> { v },
        ["observable collection"] = v => new ObservableCollection<object?> { v },
        ["read-only collection"] = v => new List<object?> { v }.AsReadOnly(),
        ["priority queue"] = v => new PriorityQueue<object?, int>([(v, 1)]),
        ["set"] = v => new HashSet<object?> { v },
        ["map"] = v => new Dictionary<string, object?> { ["k"] = v },
        ["keys"] = v => new Dictionary<object, int> { [v ?? 0] = 1 },
        ["sorted map"] = v => new SortedDictionary<int, object?> { [1] = v },
        ["sorted list"] = v => new SortedList<int, object?> { [1] = v },
        ["ordered map"] = v => new OrderedDictionary<string, object?> { ["k"] = v },
        ["concurrent map"] = v => new ConcurrentDictionary<string, object?> { ["k"] = v },
        ["read-only map"] = v => new Dictionary<string, object?> { ["k"] = v }.AsReadOnly(),
        ["hash table"] = v => new Hashtable { ["k"] = v },
        ["array list"] = v => new ArrayList { v },
        ["object queue"] = v => new Queue(new[] { v }),
        ["object stack"] = v => new Stack(new[] { v }),
        ["expando"] = NewExpando,
        ["tuple"] = v => Tuple.Create(v, 1),
        ["lazy"] = v => new Lazy<object?>(v),
        ["boxed pair"] = v => new KeyValuePair<int, object?>(1, v),
        ["boxed tuple"] = v => (1, v),
        ["boxed nullable"] = v => (Wrap?)new Wrap { Value = v },
        ["segment"] = v => new ArraySegment<object?>([v]),
        ["memory"] = v => new ReadOnlyMemory<object?>([v]),
        ["immutable array"] = v => ImmutableArray.Create(v),
        ["class"] = v => new Node { Value = v },
        ["struct"] = v => new Wrap { Value = v },
        ["array of structs"] = v => new[] { new Wrap { Value = v } },
        ["nested structs"] = v => new Nested { Value = { Value = { Value = v } } },
        ["deepest struct"] = v => NewDeepest(v),
        ["class of the deepest struct"] = v => new Holder<NestedStructs.S32> { Value = NewDeepest(v) },
        ["deepest pairs"] = v => NewPairs(v),
        ["derived list"] = v => new NamedList { v },
        ["derived map"] = v => new NamedMap { Extra = v, ["k"] = "v" },
        ["keyed collection"] = v => new Keyed { new Node { Value = v } },
    };

    private static readonly Dictionary<string, Func<object?, object>> WithoutBody = new()
    {
        ["immutable list"] = v => ImmutableList.Create(v),
        ["immutable queue"] = v => ImmutableQueue.Create(v),
        ["immutable stack"] = v => ImmutableStack.Create(v),
        ["immutable set"] = v => ImmutableHashSet.Create(v),
        ["immutable map"] = v => ImmutableDictionary<string, object?>.Empty.Add("k", v),
        ["immutable sorted map"] = v => ImmutableSortedDictionary<string, object?>.Empty.Add("k", v),
        ["frozen map"] = v => new Dictionary<string, object?> { ["k"] = v }.ToFrozenDictionary(),
        ["frozen set"] = v => new HashSet<object?> { v }.ToFrozenSet(),
    };

    private readonly SlimSerializer _slim = new(new SlimOptions
    {
        Profile = SlimProfile.InProcess,
        Limits = new SlimLimits { MaxGraphBytes = long.MaxValue, MaxMessageBytes = int.MaxValue },
    });

    public static TheoryData<string> FamiliesWithBody => new(WithBody.Keys);

    public static TheoryData<string> FamiliesWithoutBody => new(WithoutBody.Keys);

    [Theory]
    [MemberData(nameof(FamiliesWithBody))]
    public void Family_NestedInItself_Passes(string family) =>
        CheckOnSmallStack(Nest(WithBody[family], Levels));

    [Theory]
    [MemberData(nameof(FamiliesWithoutBody))]
    [Trait("Case", "slim-M")]
    public void ImmutableFamily_PassesToItsDepth_AndNotBeyond(string family)
    {
        // The pairs of a map are levels, too.
        var levels = family.EndsWith("map", StringComparison.Ordinal) ? ObjectTags.HeadDepthMax / 2 : ObjectTags.HeadDepthMax;
        CheckOnSmallStack(Nest(WithoutBody[family], levels));
        var deeper = Nest(WithoutBody[family], levels + 1);
        OnSmallStack(() => Assert.Contains(
            $"{ObjectTags.HeadDepthMax}", Assert.ThrowsAny<SlimException>(() => _slim.Serialize(deeper)).Message,
            StringComparison.Ordinal));
    }

    [Fact]
    public void AllFamilies_NestedInEachOther_Pass()
    {
        object? graph = null;
        for (var i = 0; i < 50; i++)
        {
            foreach (var wrap in WithBody.Values)
                graph = wrap(graph);
        }

        CheckOnSmallStack(graph!);
    }

    [Fact]
    [Trait("Case", "slim-M")]
    public void Arrays_NestedAHundredThousandDeep_Pass() => CheckOnSmallStack(Nest(WithBody["array"], 100_000));

    [Fact]
    public void LinkedLists_OfAMillion_Pass()
    {
        CheckOnSmallStack(new LinkedList<int>(Enumerable.Range(0, Million)));
        CheckOnSmallStack(new LinkedList<object>(Enumerable.Repeat(new object(), Million)));
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(10_000)]
    [InlineData(100_000)]
    [InlineData(Million)]
    public void HandMadeLists_LinkedBothWays_Pass(int count)
    {
        Doubly first = new();
        var last = first;
        for (var i = 1; i < count; i++)
            last = last.Next = new Doubly { Number = i, Previous = last };
        var back = Clone(first);
        var seen = 0;
        for (Doubly? before = null; back is not null; before = back, back = back.Next, seen++)
            Assert.True(ReferenceEquals(before, back.Previous) && back.Number == seen, $"node {seen}");
        Assert.Equal(count, seen);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Trees_DegeneratedToAMillionLevels_Pass(bool isZigzag)
    {
        Tree root = new();
        var at = root;
        for (var i = 1; i < Million; i++)
        {
            Tree next = new() { Number = i, Parent = at };
            if (isZigzag && i % 2 == 0)
                at.Right = next;
            else
                at.Left = next;
            at = next;
        }

        var back = Clone(root);
        var seen = 0;
        for (Tree? parent = null; back is not null; parent = back, back = back.Left ?? back.Right, seen++)
            Assert.True(ReferenceEquals(parent, back.Parent) && back.Number == seen, $"node {seen}");
        Assert.Equal(Million, seen);
    }

    [Fact]
    public void Generics_NestedSixteenDeep_PassAndSeventeenAreRefused()
    {
        SlimSerializer open = new(new SlimOptions { Profile = SlimProfile.Trusted });
        object graph = 1;
        for (var i = 0; i < 16; i++)
            graph = Boxed(graph);
        OnSmallStack(() => Assert.Equal(graph.GetType(), open.DeepClone(graph).GetType()));
        OnSmallStack(() => Assert.Contains(
            "16", Assert.Throws<SlimLimitException>(() => open.Serialize(Boxed(graph))).Message,
            StringComparison.Ordinal));
    }

    [Fact]
    public void Structs_NestedThirtyTwoDeep_PassAndThirtyThreeAreRefused()
    {
        SlimSerializer slim = new();
        OnSmallStack(() =>
        {
            CheckInnermost<NestedStructs.S30>(slim);
            CheckInnermost<NestedStructs.S32>(slim);
            Assert.NotNull(slim.DeepClone(new Holder<NestedStructs.S33>()));
            var error =
                Assert.Throws<SlimTypeNotSupportedException>(() => CheckInnermost<NestedStructs.S33>(slim));
            Assert.Contains("more than 32 deep", error.Message, StringComparison.Ordinal);
            Assert.Contains("S33", error.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Bytes_DoNotDependOnTheStack()
    {
        var graph = Nest(WithBody["list"], 500);
        byte[] small = [];
        OnSmallStack(() => small = _slim.Serialize(graph));
        Assert.Equal(_slim.Serialize(graph), small);
    }

    internal static void OnSmallStack(Action action)
    {
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(action), StackBytes);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private static object Nest(Func<object?, object> wrap, int levels)
    {
        object? graph = null;
        for (var i = 0; i < levels; i++)
            graph = wrap(graph);
        return graph!;
    }

    // Equal bytes of the copy: every level is there, in its type.
    private void CheckOnSmallStack(object graph) => OnSmallStack(() =>
    {
        var message = _slim.Serialize(graph);
        Assert.True(message.AsSpan().SequenceEqual(_slim.Serialize(_slim.Deserialize<object>(message))));
    });

    private T Clone<T>(T graph)
        where T : class
    {
        T? back = null;
        OnSmallStack(() => back = _slim.DeepClone(graph));
        return back!;
    }

    private static object Boxed(object value) =>
        Activator.CreateInstance(typeof(Box<>).MakeGenericType(value.GetType()), value)!;

    private static void CheckInnermost<T>(SlimSerializer slim)
        where T : struct
    {
        T value = default;
        Unsafe.As<T, NestedStructs.S1>(ref value).Value = "inner";
        var back = slim.DeepClone(new Holder<T> { Value = value }).Value;
        Assert.Equal("inner", Unsafe.As<T, NestedStructs.S1>(ref back).Value);
    }

    private static NestedStructs.S32 NewDeepest(object? innermost)
    {
        NestedStructs.S32 value = default;
        Unsafe.As<NestedStructs.S32, NestedStructs.S1>(ref value).Value = innermost;
        return value;
    }

    private static Pairs NewPairs(object? innermost) =>
        new() { Value = new(1, new(2, new(3, new(4, new(5, new(6, innermost)))))) };

    private static ExpandoObject NewExpando(object? value)
    {
        ExpandoObject result = new();
        ((IDictionary<string, object?>)result)["k"] = value;
        return result;
    }

    private sealed class Box<T>(T value)
    {
        public T Value = value;
    }

    private sealed class Holder<T>
    {
        public T Value = default!;
    }

    private sealed class Node
    {
        public object? Value;
    }

    private sealed class Doubly
    {
        public int Number;
        public Doubly? Next;
        public Doubly? Previous;
    }

    private sealed class Tree
    {
        public int Number;
        public Tree? Left;
        public Tree? Right;
        public Tree? Parent;
    }

    private struct Wrap
    {
        public object? Value;
    }

    private struct Pairs
    {
        public KeyValuePair<int, KeyValuePair<int, KeyValuePair<int, KeyValuePair<int, KeyValuePair<int,
            KeyValuePair<int, object?>?>?>?>?>?> Value;
    }

    private struct Outer
    {
        public Wrap Value;
    }

    private struct Nested
    {
        public Outer Value;
    }

    private sealed class NamedList : List<object?>
    {
        public string Name = "n";
    }

    private sealed class NamedMap : Dictionary<string, object?>
    {
        public object? Extra;
    }

    private sealed class Keyed : KeyedCollection<int, Node>
    {
        protected override int GetKeyForItem(Node item) => 1;
    }
}
