using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Security;

/// <summary>The memory budget against what reading really allocates, for every family whose size the message decides: a
/// budget a little below it refuses the message, one of a few times as much accepts it. Without ExpandoObject: what it
/// allocates depends on which of its weakly held classes the collector has left; its members are counted
/// instead.</summary>
[Trait("Case", "slim-M")]
public sealed class ChargeTests
{
    private const int Count = 3000;

    // What a call costs whatever it reads: an iterator here, a closure there.
    private const int CallBytes = 4096;

    private static readonly int[] Numbers = [.. Enumerable.Range(0, Count)];
    private static readonly string[] Texts = [.. Numbers.Select(static i => $"text {i}")];

    private static readonly Dictionary<string, Func<object>> All = new()
    {
        ["string"] = static () => new string('x', Count),
        ["byte[]"] = static () => new byte[Count],
        ["Guid[]"] = static () => new Guid[Count],
        ["string[]"] = static () => Texts,
        ["object[] of boxes"] = static () => Numbers.Select(static i => (object)i).ToArray(),
        ["object[] of objects"] = static () => Numbers.Select(static i => (object)new Item { Number = i }).ToArray(),
        ["int[][]"] = static () => Numbers.Select(static i => new int[2]).ToArray(),
        ["int[,]"] = static () => new int[30, 100],
        ["BigInteger"] = static () => BigInteger.Pow(7, Count * 8),
        ["BitArray"] = static () => new BitArray(Count * 8),
        ["StringBuilder"] = static () => new StringBuilder(new string('x', Count)),
        ["List"] = static () => new List<int>(Numbers),
        ["Queue"] = static () => new Queue<int>(Numbers),
        ["Stack"] = static () => new Stack<int>(Numbers),
        ["LinkedList"] = static () => new LinkedList<int>(Numbers),
        ["Collection"] = static () => new Collection<int>([.. Numbers]),
        ["ObservableCollection"] = static () => new ObservableCollection<int>(Numbers),
        ["ConcurrentQueue"] = static () => new ConcurrentQueue<int>(Numbers),
        ["ConcurrentStack"] = static () => new ConcurrentStack<int>(Numbers),
        ["ConcurrentBag"] = static () => new ConcurrentBag<int>(Numbers),
        ["PriorityQueue"] = static () => new PriorityQueue<int, int>(Numbers.Select(static i => (i, i))),
        ["HashSet"] = static () => new HashSet<int>(Numbers),
        ["HashSet of objects"] = static () => new HashSet<Key>(Numbers.Select(static i => new Key(i))),
        ["SortedSet"] = static () => new SortedSet<int>(Numbers),
        ["Dictionary"] = static () => Numbers.ToDictionary(static i => i, static i => i),
        ["Dictionary of texts"] = static () => Texts.ToDictionary(static t => t, static _ => (byte)0),
        ["Dictionary of objects"] = static () => Numbers.ToDictionary(static i => new Key(i), static _ => 0),
        ["SortedDictionary"] = static () => new SortedDictionary<int, int>(Numbers.ToDictionary(static i => i)),
        ["SortedList"] = static () => new SortedList<int, int>(Numbers.ToDictionary(static i => i)),
        ["OrderedDictionary"] = static () => new OrderedDictionary<int, int>(Numbers.ToDictionary(static i => i)),
        ["ConcurrentDictionary"] = static () => new ConcurrentDictionary<int, int>(Numbers.ToDictionary(static i => i)),
        ["ImmutableArray"] = static () => ImmutableArray.Create(Numbers),
        ["ImmutableList"] = static () => ImmutableList.Create(Numbers),
        ["ImmutableQueue"] = static () => ImmutableQueue.Create(Numbers),
        ["ImmutableStack"] = static () => ImmutableStack.Create(Numbers),
        ["ImmutableHashSet"] = static () => ImmutableHashSet.Create(Numbers),
        ["ImmutableSortedSet"] = static () => ImmutableSortedSet.Create(Numbers),
        ["ImmutableDictionary"] = static () => Numbers.ToImmutableDictionary(static i => i),
        ["ImmutableSortedDictionary"] = static () => Numbers.ToImmutableSortedDictionary(static i => i, static i => i),
        ["FrozenSet"] = static () => Numbers.ToFrozenSet(),
        ["FrozenSet of texts"] = static () => Texts.ToFrozenSet(),
        ["FrozenDictionary"] = static () => Numbers.ToFrozenDictionary(static i => i),
        ["FrozenDictionary of texts"] = static () => Texts.ToFrozenDictionary(static t => t),
        ["ArrayList"] = static () => new ArrayList(Texts),
        ["Hashtable"] = static () => new Hashtable(Numbers.ToDictionary(static i => i, static _ => (string?)null)),
        ["non-generic Queue"] = static () => new Queue(Texts),
        ["non-generic Stack"] = static () => new Stack(Texts),
        ["StringCollection"] = static () => Collected(),
        ["KeyedCollection"] = static () => Keyed(),
        ["StringDictionary"] =
            static () => Put(new StringDictionary(), static (map, text) => map.Add(text, text), Count),
        ["ListDictionary"] = static () => Put(new ListDictionary(), static (map, text) => map.Add(text, null), 1000),
        ["HybridDictionary"] =
            static () => Put(new HybridDictionary(), static (map, text) => map.Add(text, null), Count),
        ["non-generic SortedList"] =
            static () => Put(new SortedList(), static (map, text) => map.Add(text, null), Count),
        ["non-generic OrderedDictionary"] =
            static () => Put(new OrderedDictionary(), static (map, text) => map.Add(text, null), Count),
        ["NameValueCollection"] =
            static () => Put(new NameValueCollection(), static (map, text) => map.Add(text, text), Count),
        ["Exception data"] = static () => WithData(),
        ["chain"] = static () => Chain(),
    };

    public static TheoryData<string> Families => new(All.Keys);

    [Theory]
    [MemberData(nameof(Families))]
    [Trait("BackEnd", "Emitted")]
    public void Charge_OfEachFamily_CoversWhatReadingAllocates(string family)
    {
        var value = All[family]();
        var message = NewSerializer(value, long.MaxValue).Serialize(value);
        var allocated = AllocatedBy(NewSerializer(value, long.MaxValue), message);
        var tight = NewSerializer(value, Math.Max(0, allocated - CallBytes));
        var error = Record.Exception(() => tight.Deserialize<object>(message)) as SlimLimitException;
        Assert.True(error?.LimitName == nameof(SlimLimits.MaxGraphBytes), $"{allocated} bytes are not charged for");
        NewSerializer(value, CallBytes + (4 * allocated)).Deserialize<object>(message);
    }

    // Tables that a thread keeps between messages must not make a limit allow more.
    [Fact]
    public void Charge_OfAMessage_DoesNotDependOnWhatTheThreadHasReadBefore()
    {
        const int Few = 1000;
        foreach (var read in (Func<SlimSerializer, byte[], object?>[])
            [
                static (slim, message) => slim.Deserialize<Page>(message),
                static (slim, message) => slim.CreateProjection<Page, string>(static p => p.Title).Read(message),
            ])
        {
            var message = new SlimSerializer().Serialize(NewPage(Few));
            var larger = new SlimSerializer().Serialize(NewPage(Few * 3));
            var fresh = LeastBudgetOf(slim => OnNewThread(() => read(slim, message)));
            var used = LeastBudgetOf(slim => OnNewThread(() =>
            {
                read(new SlimSerializer(), larger);
                read(slim, message);
            }));
            Assert.Equal(fresh, used);
            Assert.InRange(fresh, 8 * Few, 200 * Few);
        }
    }

    private static Page NewPage(int count) =>
        new() { Items = [.. Enumerable.Range(0, count).Select(static _ => new Item())] };

    private static Exception? OnNewThread(Action action)
    {
        Exception? failure = null;
        Thread thread = new(() => failure = Record.Exception(action));
        thread.Start();
        thread.Join();
        return failure;
    }

    private static long LeastBudgetOf(Func<SlimSerializer, Exception?> read)
    {
        long refused = 0;
        long accepted = 1 << 20;
        while (accepted - refused > 1)
        {
            var budget = (refused + accepted) / 2;
            SlimSerializer slim = new(new SlimOptions { Limits = { MaxGraphBytes = budget } });
            if (read(slim) is null)
                accepted = budget;
            else
                refused = budget;
        }

        return accepted;
    }

    private static SlimSerializer NewSerializer(object value, long graphBytesMax) => new(
        new SlimOptions { Limits = { MaxGraphBytes = graphBytesMax } }
            .Allow(FrameworkForms.CarriedTypeOf(value.GetType())).Allow<Item>().Allow<Key>());

    // The least of some attempts: the first ones make serializers, and other work of the runtime may add to each.
    private static long AllocatedBy(SlimSerializer slim, byte[] message)
    {
        var least = long.MaxValue;
        for (var i = 0; i < 8; i++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            slim.Deserialize<object>(message);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private static StringCollection Collected()
    {
        StringCollection texts = [];
        texts.AddRange(Texts);
        return texts;
    }

    private static T Put<T>(T target, Action<T, string> add, int count)
    {
        for (var i = 0; i < count; i++)
            add(target, Texts[i]);
        return target;
    }

    private static ByNumber Keyed()
    {
        ByNumber items = [];
        foreach (var number in Numbers)
            items.Add(new Item { Number = number });
        return items;
    }

    private static IOException WithData()
    {
        IOException error = new("data");
        for (var i = 0; i < 1000; i++)
            error.Data[Texts[i]] = null;
        return error;
    }

    private static Item Chain()
    {
        Item last = new();
        for (var i = 0; i < Count; i++)
            last = new Item { Next = last };
        return last;
    }

    private sealed class Page
    {
        public Item[] Items = [];
        public string Title = "t";
    }

    internal sealed class Item
    {
        public int Number;
        public Item? Next;
    }

    internal sealed record Key(int Number);

    internal sealed class ByNumber : KeyedCollection<int, Item>
    {
        protected override int GetKeyForItem(Item item) => item.Number;
    }
}
