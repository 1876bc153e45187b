using Cluster.Pile.Caching;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Limits by the count of entries.</summary>
[Trait("Case", "pile-21")]
public sealed class CacheEntryLimitTests : IDisposable
{
    private readonly Caches _caches = new();
    private readonly byte[] _value = Piles.Payload(7, 100);

    public void Dispose() => _caches.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(100)]
    [InlineData(20_000)]
    public void EvictingTable_NeverHasMore_AndNeverRefuses(int entriesMax)
    {
        var table = Create(CacheTableKind.Evicting, entriesMax);
        for (var key = 0; key < (3 * entriesMax) + 1_000; key++)
        {
            Assert.Equal(PutResult.Inserted, table.Put(key, _value.AsSpan()));
            Assert.True(table.Put(key, _value.AsSpan()) == PutResult.Replaced, "What was just put is there.");
            Assert.InRange(table.Count, Math.Min(key + 1, entriesMax - (entriesMax / 256)), entriesMax);
        }

        Assert.All(table.Enumerate(), entry => Assert.True(Piles.IsPayload(entry.Value, 7)));
        var statistics = table.GetStatistics();
        Assert.Equal((entriesMax, null), (statistics.MaxEntries, statistics.MaxBytes));
        Assert.Equal(statistics.Inserts - statistics.Evictions, statistics.Entries);
    }

    [Fact]
    public void NonEvictingTable_AtItsLimit_RefusesNewKeysOnly()
    {
        var table = Create(CacheTableKind.NonEvicting, 1_000);
        for (var key = 0; key < 2_000; key++)
            Assert.Equal(key < 1_000 ? PutResult.Inserted : PutResult.Refused, table.Put(key, _value.AsSpan()));
        Assert.Equal(1_000, table.Count);
        Assert.Equal(PutResult.Replaced, table.Put(5, _value.AsSpan()));
        Assert.True(table.Remove(7));
        Assert.Equal(PutResult.Inserted, table.Put(5_000, _value.AsSpan()));
        Assert.Equal(PutResult.Refused, table.Put(5_001, _value.AsSpan()));
        table.MaxEntries = null;
        Assert.Equal(PutResult.Inserted, table.Put(5_001, _value.AsSpan()));
        table.MaxEntries = 10;
        Assert.Equal((1_001, PutResult.Refused), (table.Count, table.Put(5_002, _value.AsSpan())));
        table.Clear();
        for (var key = 0; key < 20; key++)
            Assert.Equal(key < 10 ? PutResult.Inserted : PutResult.Refused, table.Put(key, _value.AsSpan()));
    }

    [Fact]
    public void NonEvictingTable_FullOfWhatHasEnded_TakesNewOnes()
    {
        var table = Create(CacheTableKind.NonEvicting, 100);
        for (var key = 0; key < 100; key++)
            table.Put(key, _value.AsSpan(), maxAge: TimeSpan.FromSeconds(1));
        Assert.Equal(PutResult.Refused, table.Put(100, _value.AsSpan()));
        _caches.Clock.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(PutResult.Inserted, table.Put(100, _value.AsSpan()));
    }

    [Fact]
    public void LowerPriority_GoesForHigher_AndNeverTheOtherWayRound()
    {
        var table = Create(CacheTableKind.Evicting, 200);
        for (var key = 0; key < 200; key++)
            table.Put(key, _value.AsSpan(), priority: key < 150 ? 3 : 1);
        Assert.Equal(PutResult.Refused, table.Put(1_000, _value.AsSpan()));
        for (var key = 200; key < 250; key++)
            Assert.Equal(PutResult.Overwrote, table.Put(key, _value.AsSpan(), priority: 3));
        Assert.Equal(PutResult.Inserted, table.Put(250, _value.AsSpan(), priority: 3));
        Assert.Equal(PutResult.Refused, table.Put(1_000, _value.AsSpan(), priority: 1));
        Assert.Equal(200, table.Count);
        Assert.DoesNotContain(table.Enumerate(), entry => entry.Key is >= 150 and < 200);
    }

    [Fact]
    public void WhatIsReadAgainAndAgain_Stays()
    {
        var table = Create(CacheTableKind.Evicting, 2_000);
        for (var key = 0; key < 50_000; key++)
        {
            table.Put(key, _value.AsSpan());
            for (var hot = 0; hot < 500 && key % 100 == 0; hot++)
                table.TryRead(hot, [], out _);
        }

        Assert.InRange(Enumerable.Range(0, 500).Count(key => Caches.Has(table, key)), 490, 500);
    }

    [Theory]
    [InlineData(CacheTableKind.Evicting)]
    [InlineData(CacheTableKind.NonEvicting)]
    public async Task LimitLoweredAndRaised_UnderLoad_IsNeverPassed(CacheTableKind kind)
    {
        var table = Create(kind, 3_000);
        var highest = 0L;
        var writers = Enumerable.Range(0, 3).Select(number => Task.Run(() =>
        {
            var random = new Random(number);
            for (var turn = 0; turn < 20_000; turn++)
            {
                table.Put(random.Next(9_000), _value.AsSpan());
                if (turn % 3 == 0)
                    table.Remove(random.Next(9_000));
                if (turn % 64 == 0)
                    InterlockedMax(ref highest, table.GetStatistics().Entries);
            }
        })).ToList();
        for (var round = 0; round < 20; round++)
            table.MaxEntries = round % 2 == 0 ? 2_000 : 3_000;
        await Task.WhenAll(writers);
        table.MaxEntries = 1_000;
        if (kind == CacheTableKind.Evicting)
            Assert.InRange(table.Count, 900, 1_000);
        Assert.InRange(highest, 1, 3_000 + writers.Count);
        Assert.Equal(table.Enumerate().Count(), table.Count);
    }

    [Fact]
    public void TableWithALeastCount_KeepsItAgainstTheRestOfThePile()
    {
        using var caches = new Caches(16 * Piles.MiB);
        var kept = caches.Create<int, byte[]>(new CacheTableOptions { MinEntries = 20_000, MaxEntries = 25_000 });
        var other = caches.Create<int, byte[]>(name: "other");
        for (var key = 0; key < 25_000; key++)
            kept.Put(key, _value.AsSpan());
        for (var key = 0; key < 60_000; key++)
            other.Put(key, _value.AsSpan());
        Piles.FillUp(caches.Pile, 1000);
        Assert.InRange(kept.Count, 18_000, 25_000);
        Assert.InRange(other.Count, 0, 20_000);
    }

    private static void InterlockedMax(ref long highest, long value)
    {
        for (var seen = Volatile.Read(ref highest); seen < value;)
            seen = Interlocked.CompareExchange(ref highest, value, seen);
    }

    private CacheTable<int, byte[]> Create(CacheTableKind kind, long entriesMax) =>
        _caches.Create<int, byte[]>(new CacheTableOptions { Kind = kind, MaxEntries = entriesMax });
}
