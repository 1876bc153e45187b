using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using System.Runtime.Serialization;
using Cluster.Slim.Tests.Fuzzing;
using Cluster.Slim.Types;
using Xunit.Abstractions;

namespace Cluster.Slim.Tests.Security;

/// <summary>What a serializer writes, the same serializer reads, whatever its limits: over every shape that the fuzzer
/// knows, random graphs, and shapes that once were written and lost. <c>CLUSTER_SLIM_SEED</c> chooses another
/// run.</summary>
[Trait("Case", "slim-G")]
[Trait("Case", "repair-C1")]
public sealed class WriteReadPropertyTests(ITestOutputHelper output)
{
    private const int RandomGraphCount = 20;

    private static readonly Dictionary<string, Func<object>> Lost = new()
    {
        ["packed grid"] = static () => Enumerable.Range(0, 10_000)
            .ToDictionary(static i => ((long)(i / 100) << 32) | (uint)(i % 100), static i => i),
        ["large packed grid"] = static () => Enumerable.Range(0, 90_000)
            .ToDictionary(static i => ((long)(i / 300) << 32) | (uint)(i % 300), static _ => (byte)1),
        ["packed grid in a set"] = static () => Enumerable.Range(0, 10_000)
            .Select(static i => ((long)(i / 100) << 32) | (uint)(i % 100)).ToImmutableHashSet(),
        ["key of 100 levels"] = static () => new Dictionary<Link, int> { [Links(100)] = 1 },
        ["key of 250 levels"] = static () => new HashSet<Link> { Links(250) },
        ["key of 300 levels"] = static () => new HashSet<Link> { Links(300) },
        ["key in itself"] = static () => new Dictionary<object, int>(new ByType()) { [Self()] = 1 },
        ["object in a ring as key"] = static () => new Dictionary<Node, int> { [Ring()] = 1 },
        ["object in a ring as element"] = static () =>
            new PriorityQueue<Node, int>([(Ring(), 1), (Ring(), 2)]),
        ["array of nulls"] = static () => new string?[20_000_000],
        ["twins"] = static () => Twins(),
        ["keyed twins"] = static () => KeyedTwins(),
        ["key that leaves a field behind"] = static () => new HashSet<Forgetful> { new(1), new(2) },
        ["collection that refuses"] = static () => Picky.Of(1, 2, 3),
        ["callbacks of reading"] = static () => Enumerable.Range(0, 50).Select(static _ => new Told()).ToArray(),
        ["large text"] = static () => new string('x', 1000),
        ["dynamic members"] = static () => Members(1200),
        ["searched entries"] = static () => Searched(1200),
    };

    public static TheoryData<string, SlimProfile> LostShapes
    {
        get
        {
            TheoryData<string, SlimProfile> data = [];
            foreach (var name in Lost.Keys)
            {
                foreach (var profile in Enum.GetValues<SlimProfile>())
                    data.Add(name, profile);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(LostShapes))]
    public void ShapeThatWasLost_IsRefusedOnWrite_OrComesBack(string name, SlimProfile profile)
    {
        var value = Lost[name]();
        SlimOptions options = new() { Profile = profile };
        Check(new SlimSerializer(Allowed(options, value)), value);
    }

    [Fact]
    public void PackedGridsAndDeepKeys_AreOrdinary()
    {
        foreach (var name in (string[])["packed grid", "large packed grid", "key of 250 levels", "twins of rings"])
        {
            if (Lost.TryGetValue(name, out var make))
                Assert.True(Check(new SlimSerializer(Allowed(new SlimOptions(), make())), make()), name);
        }

        Assert.True(Check(
            new SlimSerializer(new SlimOptions().Allow<Dictionary<Node, int>>()), Lost["object in a ring as key"]()));
    }

    /// <summary>Each shape under limits around what it needs: refused on write, or read.</summary>
    [Fact]
    public void EveryShape_UnderRandomLimits_IsRefusedOnWrite_OrComesBack()
    {
        var seed = Seed();
        Random random = new(seed);
        object[] values =
        [
            .. FuzzValues.All, .. Lost.Where(static p => p.Key != "array of nulls" && !p.Key.Contains("grid"))
                .Select(static p => p.Value()),
            .. Enumerable.Range(1, RandomGraphCount).Select(static i => new RandomGraph(i).Build()),
        ];
        var written = 0;
        var refused = 0;
        foreach (var value in values)
        {
            for (var round = 0; round < 6; round++)
            {
                var profile = (SlimProfile)random.Next(3);
                var options = Allowed(new SlimOptions { Profile = profile }, value);
                Narrow(options.Limits, random);
                if (Check(new SlimSerializer(options), value, $"seed {seed}, round {round}, {value.GetType()}"))
                    written++;
                else
                    refused++;
            }
        }

        output.WriteLine($"seed {seed}: {written} written and read, {refused} refused on write");
        Assert.InRange(written, values.Length / 2, int.MaxValue);
        Assert.InRange(refused, values.Length / 2, int.MaxValue);
    }

    /// <summary>Roots that a reader could take one by one only are refused together.</summary>
    [Fact]
    public void SeveralRoots_UnderRandomLimits_AreRefusedOnWrite_OrComeBack()
    {
        var seed = Seed();
        Random random = new(seed);
        object[] roots = [new byte[500], Links(20), new string('x', 300), new HashSet<Link> { Links(3) }];
        for (var round = 0; round < 200; round++)
        {
            var options = new SlimOptions().Allow<HashSet<Link>>();
            Narrow(options.Limits, random);
            SlimSerializer slim = new(options);
            ArrayBufferWriter<byte> message = new();
            if (Record.Exception(() => slim.SerializeRoots(message, roots)) is { } error)
            {
                Assert.IsAssignableFrom<SlimException>(error);
                continue;
            }

            var failure = Record.Exception(() => slim.DeserializeRoots(
                new ReadOnlySequence<byte>(message.WrittenMemory), [.. roots.Select(static r => r.GetType())]));
            Assert.True(failure is null, $"seed {seed}, round {round}: {failure}");
        }
    }

    private static int Seed() =>
        int.TryParse(Environment.GetEnvironmentVariable("CLUSTER_SLIM_SEED"), out var seed) ? seed : 20260;

    // Mostly one limit is narrow, and now and then all are.
    private static void Narrow(SlimLimits limits, Random random)
    {
        var narrow = random.Next(8);
        var all = random.Next(8) == 0;
        if (all || narrow == 0)
            limits.MaxGraphBytes = random.Next(3) == 0 ? random.Next(20_000) : random.Next(3000);
        if (all || narrow == 1)
            limits.MaxMessageBytes = 16 + random.Next(2000);
        if (all || narrow == 2)
            limits.MaxKeyWorkPerByte = random.Next(8);
        if (all || narrow == 3)
            limits.MaxKeyDepth = 1 + random.Next(6);
        if (all || narrow == 4)
            limits.MaxSearchedEntries = random.Next(4);
        if (all || narrow == 5)
            limits.MaxCallbackCount = random.Next(8);
        if (all || narrow == 6)
            limits.MaxStringLength = random.Next(40);
        if (all || narrow == 7)
            limits.MaxDocumentDepth = 1 + random.Next(4);
    }

    private static bool Check(SlimSerializer slim, object value, string what = "")
    {
        byte[] message;
        try
        {
            message = slim.Serialize(value);
        }
        catch (SlimException)
        {
            return false;
        }

        var error = Record.Exception(() => slim.Deserialize<object>(message));
        Assert.True(error is null, string.Create(CultureInfo.InvariantCulture, $"{what}: written, but {error}"));
        return true;
    }

    private static SlimOptions Allowed(SlimOptions options, object value)
    {
        options.Allow(FrameworkForms.CarriedTypeOf(value.GetType())).Allow<ByType>();
        options.AddCodec(new FuzzTypes.ParcelCodec()).AddCodec(new FuzzTypes.WeightCodec());
        options.AllowCallbacks<Told>();
        return options.Allow<RandomGraph.Node>().Allow<RandomGraph.Derived>().Allow<RandomGraph.Pair>()
            .Allow<RandomGraph.Record>().Allow<HashSet<object>>().Allow<Tuple<object, object>>().Allow<SelfKey>();
    }

    private static Link Links(int count)
    {
        Link link = new(0, null);
        for (var i = 1; i < count; i++)
            link = new Link(i, link);
        return link;
    }

    private static SelfKey Self()
    {
        SelfKey key = new();
        key.Self = key;
        return key;
    }

    private static Node Ring()
    {
        Node node = new();
        node.Next = new Node { Next = node };
        return node;
    }

    private static HashSet<Changing> Twins()
    {
        Changing second = new() { Name = "b" };
        HashSet<Changing> set = [new() { Name = "a" }, second];
        second.Name = "a";
        return set;
    }

    private static ByName KeyedTwins()
    {
        Changing second = new() { Name = "b" };
        ByName items = [new() { Name = "a" }, second];
        second.Name = "a";
        return items;
    }

    private static ExpandoObject Members(int count)
    {
        ExpandoObject value = new();
        for (var i = 0; i < count; i++)
            value.TryAdd($"m{i}", null);
        return value;
    }

    private static ListDictionary Searched(int count)
    {
        ListDictionary entries = [];
        for (var i = 0; i < count; i++)
            entries.Add(i, null);
        return entries;
    }

    private sealed record Link(int Number, Link? Next);

    private sealed record SelfKey
    {
        public SelfKey? Self;
    }

    private sealed class Node
    {
        public Node? Next;
    }

    private sealed record Changing
    {
        public string Name { get; set; } = "";
    }

    private sealed class Forgetful(int number)
    {
        [NonSerialized]
        private readonly int _number = number;

        public override bool Equals(object? obj) => obj is Forgetful other && other._number == _number;

        public override int GetHashCode() => _number;
    }

    private sealed class ByName : KeyedCollection<string, Changing>
    {
        protected override string GetKeyForItem(Changing item) => item.Name;
    }

    /// <summary>Refuses an item that it let in before.</summary>
    private sealed class Picky : Collection<int>
    {
        private bool _isClosed;

        public static Picky Of(params int[] items)
        {
            Picky picky = [.. items];
            picky._isClosed = true;
            return picky;
        }

        protected override void InsertItem(int index, int item)
        {
            if (_isClosed)
                throw new InvalidOperationException("closed");
            base.InsertItem(index, item);
        }
    }

    private sealed class Told
    {
        [OnDeserialized]
        private void Done(StreamingContext context) => _ = context;
    }

    /// <summary>Compares nothing but types, so that a key may be anything.</summary>
    private sealed class ByType : IEqualityComparer<object>
    {
        bool IEqualityComparer<object>.Equals(object? x, object? y) => x?.GetType() == y?.GetType();

        int IEqualityComparer<object>.GetHashCode(object obj) => obj.GetType().Name.Length;
    }
}
