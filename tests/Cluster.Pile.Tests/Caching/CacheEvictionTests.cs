using Cluster.Pile.Caching;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Caching;

/// <summary>What a table does when there is no room, in itself and in its pile.</summary>
public sealed class CacheEvictionTests : IDisposable
{
    private const long Limit = 2 * Piles.MiB;
    private const int ValueBytes = 200;

    private readonly Caches _caches = new(128 * Piles.MiB);
    private readonly byte[] _value = Piles.Payload(7, ValueBytes);

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-21")]
    public void EvictingTable_AtItsLimit_EvictsAndNeverRefuses()
    {
        var table = Create(CacheTableKind.Evicting);
        for (var key = 0; key < 50_000; key++)
        {
            Assert.Equal(PutResult.Inserted, table.Put(key, _value.AsSpan()));
            Assert.InRange(table.GetStatistics().Bytes, 1, Limit);
        }

        var statistics = table.GetStatistics();
        Assert.InRange(statistics.Entries, Limit / ValueBytes / 2, Limit / ValueBytes);
        Assert.Equal(50_000, statistics.Entries + statistics.Evictions);
        Assert.Equal(statistics.Entries, table.Enumerate().Count(entry => Piles.IsPayload(entry.Value, 7)));
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void NonEvictingTable_AtItsLimit_RefusesAndKeepsAll()
    {
        var table = Create(CacheTableKind.NonEvicting);
        var kept = Fill(table, priority: 0);
        Assert.InRange(kept, (int)(Limit / ValueBytes / 2), (int)(Limit / ValueBytes));
        CheckAll(table, 0, kept);
        Assert.Equal(PutResult.Refused, table.Put(-1, _value.AsSpan(), priority: 7));
        Assert.Equal(PutResult.Replaced, table.Put(1, _value.AsSpan()));
        for (var key = 0; key < kept; key += 2)
            Assert.True(table.Remove(key));
        _caches.Pile.Compact();
        Assert.Equal(PutResult.Inserted, table.Put(-1, _value.AsSpan()));
        Assert.Equal(0, table.GetStatistics().Evictions);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void NonEvictingTable_KeepsAMillionKeys()
    {
        const int Keys = 1_000_000;
        var table = _caches.Create<int, byte[]>(new CacheTableOptions { Kind = CacheTableKind.NonEvicting });
        Span<byte> value = stackalloc byte[sizeof(int)];
        for (var key = 0; key < Keys; key++)
        {
            BitConverter.TryWriteBytes(value, key);
            Assert.Equal(PutResult.Inserted, table.Put(key, value));
        }

        var lost = 0;
        for (var key = 0; key < Keys; key++)
            lost += table.TryRead(key, value, out _) && BitConverter.ToInt32(value) == key ? 0 : 1;
        Assert.Equal(0, lost);
        Assert.Equal(Keys, table.Count);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void LowerPriority_NeverDisplacesHigher_EqualAndHigherDo()
    {
        var table = Create(CacheTableKind.Evicting);
        for (var key = 0; table.GetStatistics().Evictions == 0; key++)
            Assert.Equal(PutResult.Inserted, table.Put(key, _value.AsSpan(), priority: 1));
        var before = table.Enumerate().Select(entry => entry.Key).Order().ToArray();
        var refused = 0;
        for (var key = 0; key < 5_000; key++)
            refused += table.Put(1_000_000 + key, _value.AsSpan(), priority: 0) == PutResult.Refused ? 1 : 0;
        Assert.InRange(refused, 1, 5_000);
        Assert.Superset(before.ToHashSet(), table.Enumerate().Select(entry => entry.Key).ToHashSet());

        var results = new HashSet<PutResult>();
        for (var key = 0; key < 3_000; key++)
            results.Add(table.Put(2_000_000 + key, _value.AsSpan(), priority: 2));
        Assert.Contains(PutResult.Overwrote, results);
        Assert.DoesNotContain(PutResult.Refused, results);
        CheckAll(table, 2_000_000, 3_000);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void LowestPriority_GoesFirst()
    {
        var table = Create(CacheTableKind.Evicting);
        for (var key = 0; key < 4_000; key++)
        {
            table.Put(key, _value.AsSpan(), priority: 0);
            table.Put(1_000_000 + key, _value.AsSpan(), priority: 3);
        }

        for (var key = 0; key < 1_000; key++)
            table.Put(2_000_000 + key, _value.AsSpan(), priority: 3);
        CheckAll(table, 1_000_000, 4_000);
        CheckAll(table, 2_000_000, 1_000);
        Assert.InRange(table.GetStatistics().Evictions, 1, 4_000);
    }

    [Fact]
    [Trait("Case", "pile-27")]
    public void Oversize_IsRefusedAlone()
    {
        var table = Create(CacheTableKind.Evicting);
        for (var key = 0; key < 5_000; key++)
            table.Put(key, _value.AsSpan());
        Assert.Equal(PutResult.Refused, table.Put(1, new byte[Limit + 1]));
        Assert.Equal(PutResult.Refused, table.Put(-1, new byte[Limit + 1]));
        var large = new byte[1000 * Piles.MiB];
        Assert.Equal(PutResult.Refused, _caches.Create<int, byte[]>(name: "free").Put(1, large.AsSpan()));
        Assert.Throws<PileFullException>(() => _caches.Pile.Put(large.AsSpan()));
        CheckAll(table, 0, 5_000);
        Assert.Equal((0, 2), (table.GetStatistics().Evictions, table.GetStatistics().Refusals));
    }

    [Fact]
    [Trait("Case", "pile-27")]
    public void LimitLoweredAtRunTime_IsKeptAtOnce_AndCanBeRaisedAgain()
    {
        var table = Create(CacheTableKind.Evicting, 16 * Piles.MiB);
        for (var key = 0; key < 100_000; key++)
            table.Put(key, _value.AsSpan());
        Assert.InRange(table.GetStatistics().Bytes, 14 * Piles.MiB, 16 * Piles.MiB);
        table.MaxBytes = 4 * Piles.MiB;
        Assert.InRange(table.GetStatistics().Bytes, 2 * Piles.MiB, 4 * Piles.MiB);
        Assert.All(table.Enumerate(), entry => Assert.True(Piles.IsPayload(entry.Value, 7)));
        for (var key = 0; key < 100_000; key++)
            table.Put(key, _value.AsSpan());
        Assert.InRange(table.GetStatistics().Bytes, 2 * Piles.MiB, 4 * Piles.MiB);
        table.MaxBytes = null;
        for (var key = 0; key < 100_000; key++)
            table.Put(key, _value.AsSpan());
        Assert.InRange(table.GetStatistics().Bytes, 20 * Piles.MiB, 40 * Piles.MiB);
        Assert.Throws<ArgumentOutOfRangeException>(() => table.MaxBytes = 1);
    }

    [Fact]
    [Trait("Case", "pile-27")]
    public async Task LimitLoweredUnderLoad_IsKeptWithinTenSeconds()
    {
        var table = Create(CacheTableKind.Evicting, 16 * Piles.MiB);
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(0, 3).Select(number => Task.Run(() =>
        {
            for (var key = number; !stop.IsCancellationRequested; key += 3)
                table.Put(key % 200_000, _value.AsSpan());
        })).ToList();
        await Eventually.TrueAsync(() => table.GetStatistics().Evictions > 0, TimeSpan.FromMinutes(1));
        table.MaxBytes = 4 * Piles.MiB;
        await Eventually.TrueAsync(
            () => table.GetStatistics().Bytes <= 4 * Piles.MiB, TimeSpan.FromSeconds(10));
        await stop.CancelAsync();
        await Task.WhenAll(writers);
        Assert.InRange(table.GetStatistics().Bytes, 1, 4 * Piles.MiB);
    }

    [Fact]
    [Trait("Case", "pile-27")]
    public void NonEvictingTable_WithALowerLimit_KeepsWhatItHas()
    {
        var table = Create(CacheTableKind.NonEvicting, 16 * Piles.MiB);
        for (var key = 0; key < 20_000; key++)
            Assert.Equal(PutResult.Inserted, table.Put(key, _value.AsSpan()));
        table.MaxBytes = Limit;
        Fill(table, priority: 0, from: 20_000);
        CheckAll(table, 0, 20_000);
    }

    [Fact]
    public void EvictingTable_GivesWayToTheRestOfThePile_NonEvictingDoesNot()
    {
        using var caches = new Caches(16 * Piles.MiB);
        var forgetful = caches.Create<int, byte[]>(name: "forgetful");
        for (var key = 0; key < 100_000; key++)
            Assert.NotEqual(PutResult.Refused, forgetful.Put(key, _value.AsSpan()));
        var durable = caches.Create<int, byte[]>(
            new CacheTableOptions { Kind = CacheTableKind.NonEvicting, MaxBytes = 6 * Piles.MiB }, name: "durable");
        var kept = Fill(durable, priority: 0);
        Assert.InRange(kept, 20_000, 40_000);
        var pointers = Enumerable.Range(0, 1000).Select(i => caches.Pile.Put(Piles.Payload((ulong)i, 4000))).ToList();
        Piles.FillUp(caches.Pile, 1000);
        CheckAll(durable, 0, kept);
        Assert.All(pointers, pointer => Assert.Equal(4000, caches.Pile.SizeOf(pointer)));
        Assert.InRange(forgetful.Count, 0, 10_000);
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void TableWithALeastSize_KeepsItAgainstTheRestOfThePile()
    {
        using var caches = new Caches(16 * Piles.MiB);
        var options = new CacheTableOptions { MinBytes = 4 * Piles.MiB, MaxBytes = 6 * Piles.MiB };
        var kept = caches.Create<int, byte[]>(options, name: "kept");
        var other = caches.Create<int, byte[]>(name: "other");
        for (var key = 0; key < 30_000; key++)
            kept.Put(key, _value.AsSpan());
        for (var key = 0; key < 60_000; key++)
            other.Put(key, _value.AsSpan());
        Piles.FillUp(caches.Pile, 1000);
        Assert.InRange(kept.GetStatistics().Bytes, 7 * Piles.MiB / 2, 6 * Piles.MiB);
        Assert.InRange(other.GetStatistics().Bytes, 0, 2 * Piles.MiB);
    }

    [Fact]
    public void Enumeration_IsNoUse_OfWhatItMeets()
    {
        var walked = Create(CacheTableKind.Evicting);
        var left = Create(CacheTableKind.Evicting, name: "left");
        foreach (var table in new[] { walked, left })
        {
            for (var key = 0; key < 5_000; key++)
                table.Put(key, _value.AsSpan());
            for (var round = 0; round < 3 && table == walked; round++)
                Assert.Equal(5_000, table.Enumerate().Count());
            for (var key = 5_000; key < 20_000; key++)
                table.Put(key, _value.AsSpan());
        }

        Assert.Equal(left.Enumerate().Select(entry => entry.Key), walked.Enumerate().Select(entry => entry.Key));
    }

    [Fact]
    public void EvictedEntries_EndTheObjectsThatTheyOwn()
    {
        var table = Create(CacheTableKind.Evicting, CacheTableOptions.MinMaxBytes);
        for (var key = 0; key < 100_000; key++)
            table.PutPointer(key, _caches.Pile.Put(BitConverter.GetBytes(key)));
        Assert.InRange(table.Count, 1, 60_000);
        Assert.Equal(table.Count, _caches.Pile.GetStatistics().Objects);
        Assert.All(table.Enumerate(), entry => Assert.Equal(entry.Key, BitConverter.ToInt32(entry.Value)));
        table.Clear();
        Piles.CheckEmpty(_caches.Pile);
    }

    private CacheTable<int, byte[]> Create(CacheTableKind kind, long limit = Limit, string name = "table") =>
        _caches.Create<int, byte[]>(new CacheTableOptions { Kind = kind, MaxBytes = limit }, name: name);

    private int Fill(CacheTable<int, byte[]> table, int priority, int from = 0)
    {
        var key = from;
        while (table.Put(key, _value.AsSpan(), priority) != PutResult.Refused)
            key++;
        return key;
    }

    private static void CheckAll(CacheTable<int, byte[]> table, int from, int count)
    {
        var value = new byte[ValueBytes];
        for (var key = from; key < from + count; key++)
        {
            Assert.True(table.TryRead(key, value, out var length), $"{key} is gone.");
            Assert.True(length == ValueBytes && Piles.IsPayload(value, 7));
        }
    }
}
