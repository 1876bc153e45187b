using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using Cluster.Slim.Tests.Fuzzing;

namespace Cluster.Slim.Tests.Security;

/// <summary>Counts that are not those of the content, in every family that has one.</summary>
[Trait("Case", "slim-M")]
public sealed class ForgedCountTests
{
    private const int AllocatedMax = 200_000;

    // An empty one and one of a single item; their messages are equal up to the count.
    private static readonly Dictionary<string, (object Empty, object Single)> Families = new()
    {
        ["int[]"] = (Array.Empty<int>(), new int[1]),
        ["string[]"] = (Array.Empty<string>(), new string?[1]),
        ["object[]"] = (Array.Empty<object>(), new object?[1]),
        ["Guid[]"] = (Array.Empty<Guid>(), new Guid[1]),
        ["empty structs[]"] = (Array.Empty<Corpus.Empty>(), new Corpus.Empty[1]),
        ["structs[]"] = (Array.Empty<Corpus.Point>(), new Corpus.Point[1]),
        ["int[][]"] = (Array.Empty<int[]>(), new int[]?[1]),
        ["List of int"] = (new List<int>(), new List<int> { 1 }),
        ["List of objects"] = (new List<object?>(), new List<object?> { null }),
        ["List of structs"] = (new List<Corpus.Point>(), new List<Corpus.Point> { default }),
        ["List of empty structs"] = (new List<Corpus.Empty>(), new List<Corpus.Empty> { default }),
        ["Queue"] = (new Queue<int>(), new Queue<int>([1])),
        ["Stack"] = (new Stack<int>(), new Stack<int>([1])),
        ["LinkedList"] = (new LinkedList<int>(), new LinkedList<int>([1])),
        ["Collection"] = (new Collection<int>(), new Collection<int> { 1 }),
        ["ConcurrentQueue"] = (new ConcurrentQueue<int>(), new ConcurrentQueue<int>([1])),
        ["ConcurrentBag"] = (new ConcurrentBag<int>(), new ConcurrentBag<int>([1])),
        ["HashSet"] = (new HashSet<int>(), new HashSet<int> { 1 }),
        ["HashSet of empty structs"] = (new HashSet<Corpus.Empty>(), new HashSet<Corpus.Empty> { default }),
        ["SortedSet"] = (new SortedSet<int>(), new SortedSet<int> { 1 }),
        ["Dictionary"] = (new Dictionary<int, int>(), new Dictionary<int, int> { [1] = 1 }),
        ["Dictionary of texts"] = (new Dictionary<string, int>(), new Dictionary<string, int> { ["k"] = 1 }),
        ["SortedDictionary"] = (new SortedDictionary<int, int>(), new SortedDictionary<int, int> { [1] = 1 }),
        ["SortedList"] = (new SortedList<int, int>(), new SortedList<int, int> { [1] = 1 }),
        ["ConcurrentDictionary"] = (
            new ConcurrentDictionary<int, int>(), new ConcurrentDictionary<int, int> { [1] = 1 }),
        ["OrderedDictionary"] = (new OrderedDictionary<int, int>(), new OrderedDictionary<int, int> { [1] = 1 }),
        ["PriorityQueue"] = (new PriorityQueue<int, int>(), new PriorityQueue<int, int>([(1, 1)])),
        ["ImmutableList"] = (ImmutableList<int>.Empty, ImmutableList.Create(1)),
        ["ImmutableHashSet"] = (ImmutableHashSet<int>.Empty, ImmutableHashSet.Create(1)),
        ["ImmutableDictionary"] = (
            ImmutableDictionary<int, int>.Empty, ImmutableDictionary<int, int>.Empty.Add(1, 1)),
        ["FrozenSet"] = (FrozenSet<int>.Empty, new HashSet<int> { 1 }.ToFrozenSet()),
        ["FrozenDictionary"] = (
            FrozenDictionary<int, int>.Empty, new Dictionary<int, int> { [1] = 1 }.ToFrozenDictionary()),
        ["ArrayList"] = (new ArrayList(), new ArrayList { null }),
        ["Hashtable"] = (new Hashtable(), new Hashtable { [1] = null }),
        ["StringCollection"] = (new StringCollection(), new StringCollection { "s" }),
        ["NameValueCollection"] = (new NameValueCollection(), new NameValueCollection { { "n", "v" } }),
        ["ExpandoObject"] = (new ExpandoObject(), Expando()),
        ["BitArray"] = (new BitArray(0), new BitArray(8)),
    };

    public static TheoryData<string> All => [.. Families.Keys];

    [Theory]
    [MemberData(nameof(All))]
    public void Count_ThatIsNotThatOfTheContent_IsRefused_AndAllocatesLittle(string family)
    {
        (var empty, var single) = Families[family];
        SlimSerializer slim = new(new SlimOptions().Allow(empty.GetType()).Allow(single.GetType()));
        var none = slim.Serialize(empty);
        var one = slim.Serialize(single);
        var at = none.Length - 1;
        Assert.Equal(none[..at], one[..at]);
        uint count = one[at];
        CheckGood(slim, none);
        CheckGood(slim, one);
        foreach (var forged in (uint[])[count - 1, count + 1, 100, int.MaxValue, int.MaxValue + 1u, uint.MaxValue])
        {
            // Bits are counted one by one and written eight at a time.
            if (family == "BitArray" && forged == count - 1)
                continue;
            CheckRefused(slim, Forge.After(one[..at]).Number(forged).Bytes(one.AsSpan(at + 1)).Done());
            CheckRefused(slim, Forge.After(none, 1).Number(Math.Max(forged, 1)).Done());
        }

        // Six bytes for one number, and a fifth byte that says more than 32 bits.
        CheckRefused(slim, Forge.After(none, 1).Bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0).Done());
        CheckRefused(slim, Forge.After(none, 1).Bytes(0x80, 0x80, 0x80, 0x80, 0x10).Done());
        CheckRefused(slim, [.. none, 0]);
        CheckRefused(slim, [.. one, 0]);
        CheckGood(slim, none);
        CheckGood(slim, one);
    }

    [Theory]
    [InlineData(int.MaxValue, int.MaxValue, int.MaxValue)]
    [InlineData(0, int.MaxValue, int.MaxValue)]
    [InlineData(0, int.MaxValue, 1)]
    [InlineData(65_536, 65_536, 0)]
    [InlineData(65_536, 65_536, 1)]
    [InlineData(60_000, 60_000, 1)]
    [InlineData(1 << 21, 1 << 21, 1 << 22)]
    [InlineData(100, 100, 100)]
    [InlineData(1, 1, -1)]
    public void Dimensions_ThatMultiplyToMoreThanTheMessageHolds_AreRefused_AndAllocateLittle(int a, int b, int c)
    {
        SlimSerializer slim = new(new SlimOptions().Allow<Corpus.Empty[,,]>());
        var good = slim.Serialize<object>(new Corpus.Empty[0, 0, 0]);
        CheckGood(slim, good);
        var forge = Forge.After(good, 15);
        foreach (var length in (int[])[a, b, c])
            forge.Bytes(0, 0, 0, 0).Number((uint)length);
        CheckRefused(slim, forge.Done());
        CheckGood(slim, good);
    }

    /// <summary>What the runtime can make is read, however long the dimensions beside a zero are.</summary>
    [Fact]
    public void Dimensions_ThatTheRuntimeAccepts_AreRead()
    {
        SlimSerializer slim = new();
        CheckLengths(slim, new byte[60_000, 60_000, 0]);
        CheckLengths(slim, new byte[0, 70_000, 70_000]);
        CheckLengths(slim, new byte[Array.MaxLength, 2, 0]);
        CheckLengths(slim, new byte[0, Array.MaxLength, Array.MaxLength]);
    }

    private static void CheckLengths(SlimSerializer slim, byte[,,] value)
    {
        var back = slim.DeepClone(value);
        Assert.Equal(
            (value.GetLength(0), value.GetLength(1), value.GetLength(2)),
            (back.GetLength(0), back.GetLength(1), back.GetLength(2)));
    }

    private static ExpandoObject Expando()
    {
        IDictionary<string, object?> expando = new ExpandoObject();
        expando["m"] = null;
        return (ExpandoObject)expando;
    }

    private static void CheckGood(SlimSerializer slim, byte[] message) =>
        Assert.Equal(message, slim.Serialize(slim.Deserialize<object>(message)));

    private static void CheckRefused(SlimSerializer slim, byte[] message)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        var error = Record.Exception(() => slim.Deserialize<object>(message));
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(error is SlimMalformedException { Site: not null }, $"{Convert.ToHexString(message)}: {error}");
        Assert.InRange(allocated, 0, AllocatedMax);
    }
}
