using System.Collections.ObjectModel;
using Cluster.Slim.Keys;
using Cluster.Slim.Tests.Fuzzing;

namespace Cluster.Slim.Tests.Security;

/// <summary>Keys chosen to make collections slow: refused by a bound before any collection is filled.</summary>
[Trait("Case", "slim-M")]
public sealed class HostileKeyTests
{
    private const int ManyKeys = 100_000;

    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Collisions_UpToTheBound_AreRead_AndOneMoreIsRefused()
    {
        // All in one bucket: n keys are n (n - 1) / 2 pairs of 2 steps each.
        var most = 200;
        while ((most + 1L) * most <= (64 * 1024) + (256L * MessageOf(most + 1, 1).Length))
            most++;
        var buckets = new Dictionary<int, int>(most).EnsureCapacity(0);
        Assert.Equal(most, _slim.Deserialize<Dictionary<int, int>>(MessageOf(most, buckets)).Count);
        buckets = new Dictionary<int, int>(most + 1).EnsureCapacity(0);
        CheckCollisions<Dictionary<int, int>>(MessageOf(most + 1, buckets));
    }

    [Fact]
    [Trait("Case", "experience-M3")]
    public void HundredThousandCollidingKeys_AreRefusedBeforeFilling()
    {
        var buckets = new Dictionary<int, int>(ManyKeys).EnsureCapacity(0);
        CheckCollisions<Dictionary<int, int>>(MessageOf(ManyKeys, 1).AsSpan().ToArray(), buckets);
    }

    [Fact]
    public void ConcurrentDictionary_KeysThatCollideInItsOwnSize_AreRefused()
    {
        const int Count = 3000;
        var buckets = BucketsOf(Grown(Count));
        var message = Forge.After(_slim.Serialize(new ConcurrentDictionary<int, int>()), 1).Number(Count)
            .Times(Count, (forge, i) => forge.Bytes(BitConverter.GetBytes(i * buckets)).Bytes(0, 0, 0, 0));
        CheckCollisions<ConcurrentDictionary<int, int>>(message.Done());
    }

    [Fact]
    public void KeyedCollection_KeysThatCollideInItsDictionary_AreRefused()
    {
        const int Count = 3000;
        Dictionary<int, int> grown = [];
        for (var i = 0; i < Count; i++)
            grown.Add(i, i);
        var buckets = grown.EnsureCapacity(0);
        ByNumber items = [];
        for (var i = 0; i < Count; i++)
            items.Add(i);
        var message = _slim.Serialize(items);
        for (var i = 0; i < Count; i++)
            BitConverter.TryWriteBytes(message.AsSpan(message.Length - ((Count - i) * 4)), i * buckets);
        CheckCollisions<ByNumber>(message);
    }

    [Fact]
    public void EqualHashes_InImmutableAndNonGenericCollections_AreRefused()
    {
        const int Count = 5000;
        var set = Forge.After(_slim.Serialize(ImmutableHashSet<long>.Empty), 1).Number(Count)
            .Times(Count, static (forge, i) => forge.Bytes(BitConverter.GetBytes(i * 0x1_0000_0001L)));
        CheckCollisions<ImmutableHashSet<long>>(set.Done());
        var table = Forge.After(_slim.Serialize<Hashtable>([]), 1).Number(Count)
            .Times(Count, static (forge, i) => forge.Bytes(2, 11)
                .Bytes(BitConverter.GetBytes(i * 0x1_0000_0001L)).Bytes(0));
        CheckCollisions<Hashtable>(table.Done());
    }

    /// <summary>Each level refers to the next one twice, so that the hash of the record visits 2^60 parts.</summary>
    [Fact]
    public void RecordKey_ThatDoublesWithEachLevel_IsRefusedInsteadOfHashingForever()
    {
        Twin key = new(null, null);
        for (var i = 0; i < 60; i++)
            key = new Twin(key, key);
        var message = _slim.Serialize(new Dictionary<Twin, int>(ReferenceEqualityComparer.Instance) { [key] = 1 });
        message[message.AsSpan().IndexOf(new byte[] { 5, 0, 1, 1 })] = 0;
        var error = Assert.Throws<SlimLimitException>(
            () => _slim.Deserialize<Dictionary<Twin, int>>(message));
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte), error.LimitName);
    }

    [Fact]
    public void RecordKeys_WithManyParts_AreRead()
    {
        Dictionary<Twin, int> map = [];
        for (var i = 0; i < 50; i++)
        {
            Twin key = new(i, null);
            for (var level = 0; level < 40; level++)
                key = new Twin(key, level);
            map[key] = i;
        }

        Assert.Equal(map.Count, _slim.DeepClone(map).Count);
    }

    [Fact]
    public void TableSizes_AreThoseOfTheFramework()
    {
        Dictionary<int, int> map = [];
        SortedSet<int> seen = [];
        for (var i = 0; i < 400_000; i++)
        {
            map.Add(i, 0);
            seen.Add(map.EnsureCapacity(0));
        }

        Assert.Equal(TableSizes.Grown.Take(seen.Count), seen);
        Assert.Contains(BucketsOf(Grown(5_000)), seen);
    }

    [Fact]
    public void DuplicatedKeys_AreRefused()
    {
        var message = Forge.After(_slim.Serialize(new Dictionary<string, int>()), 1).Number(2)
            .Times(2, static (forge, _) => forge.Text("k").Bytes(1, 0, 0, 0)).Done();
        SlimException error = Assert.Throws<SlimMalformedException>(
            () => _slim.Deserialize<Dictionary<string, int>>(message));
        Assert.Contains("twice", error.Message, StringComparison.Ordinal);
        message = Forge.After(_slim.Serialize(new HashSet<int>()), 1).Number(2)
            .Times(2, static (forge, _) => forge.Bytes(1, 0, 0, 0)).Done();
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<HashSet<int>>(message));
    }

    private byte[] MessageOf(int count, int step) => Forge
        .After(_slim.Serialize(new Dictionary<int, int>()), 1).Number((uint)count)
        .Times(count, (forge, i) => forge.Bytes(BitConverter.GetBytes(i * step)).Bytes(0, 0, 0, 0)).Done();

    private void CheckCollisions<T>(byte[] message, int step = 0)
    {
        for (var i = 0; step > 0 && i < ManyKeys; i++)
            BitConverter.TryWriteBytes(message.AsSpan(message.Length - ((ManyKeys - i) * 8)), i * step);
        var error = Assert.Throws<SlimLimitException>(() => _slim.Deserialize<T>(message));
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte), error.LimitName);
    }

    private static ConcurrentDictionary<int, int> Grown(int count)
    {
        ConcurrentDictionary<int, int> map = new();
        for (var i = 0; i < count; i++)
            map.TryAdd(i, i);
        return map;
    }

    private static int BucketsOf(ConcurrentDictionary<int, int> map)
    {
        const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
        var tables = map.GetType().GetField("_tables", Hidden)!.GetValue(map)!;
        return ((Array)tables.GetType().GetField("_buckets", Hidden)!.GetValue(tables)!).Length;
    }

    internal sealed record Twin(object? Left, object? Right);

    internal sealed class ByNumber : KeyedCollection<int, int>
    {
        protected override int GetKeyForItem(int item) => item;
    }
}
