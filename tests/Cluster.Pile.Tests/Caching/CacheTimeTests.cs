using Cluster.Pile.Caching;

namespace Cluster.Pile.Tests.Caching;

/// <summary>When an entry is gone, by a clock that the test moves.</summary>
public sealed class CacheTimeTests : IDisposable
{
    private readonly Caches _caches = new();

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-22")]
    public void MaxAge_EndsTheEntry_AndNeverLate()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "ten", maxAge: Seconds(10));
        table.Put(2, "stays");
        Advance(9.7);
        Assert.True(table.TryGet(1, out _));
        Advance(0.3);
        Assert.False(table.TryGet(1, out _));
        Assert.False(table.TryRead(1, new byte[9], out _));
        Assert.False(table.Refresh(1));
        Assert.DoesNotContain(table.Enumerate(), entry => entry.Key == 1);
        Assert.False(table.Remove(1));
        Assert.Equal(PutResult.Inserted, table.Put(1, "new"));
        Advance(1_000_000);
        Assert.True(table.TryGet(1, out _));
        Assert.True(table.TryGet(2, out _));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void MaxAgeOfTheTable_HoldsWhereAPutSaysNothing()
    {
        var table = _caches.Create<int, string>(new CacheTableOptions { MaxAge = Seconds(5) });
        table.Put(1, "default");
        table.Put(2, "longer", maxAge: Seconds(10));
        table.Put(3, "endless", maxAge: Timeout.InfiniteTimeSpan);
        Assert.Equal("loaded", table.GetOrAdd(4, _ => "loaded"));
        Assert.Equal("longer", table.GetOrAdd(5, _ => "longer", maxAge: Seconds(10)));
        Advance(5);
        Assert.Equal([2, 3, 5], Keys(table));
        Advance(5);
        Assert.Equal([3], Keys(table));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void AbsoluteExpiration_EndsTheEntry_AndTheEarlierOfBothCounts()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "absolute", absoluteExpiration: In(10));
        table.Put(2, "age first", maxAge: Seconds(5), absoluteExpiration: In(10));
        table.Put(3, "end first", maxAge: Seconds(20), absoluteExpiration: In(10));
        Advance(4.7);
        Assert.Equal([1, 2, 3], Keys(table));
        Advance(0.3);
        Assert.Equal([1, 3], Keys(table));
        Advance(4.7);
        Assert.Equal([1, 3], Keys(table));
        Advance(0.3);
        Assert.Empty(Keys(table));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void AbsoluteExpiration_ThatHasPassed_EndsWhatWasThere()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "old");
        Assert.Equal(PutResult.Replaced, table.Put(1, "gone", absoluteExpiration: In(-1)));
        Assert.False(table.TryGet(1, out _));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void Refresh_BeginsTheAgeAnew_AndWearsNothingOut()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "ten", maxAge: Seconds(10));
        table.Put(2, "ten", maxAge: Seconds(10));
        for (var i = 0; i < 1000; i++)
        {
            Advance(7.3);
            Assert.True(table.Refresh(1));
        }

        Assert.False(table.Refresh(2));
        Assert.False(table.Refresh(3));
        Advance(9.7);
        Assert.Equal([1], Keys(table));
        Advance(0.3);
        Assert.Empty(Keys(table));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void Refresh_GoesNoFurtherThanTheAbsoluteExpiration()
    {
        var table = _caches.Create<int, string>();
        table.Put(1, "both", maxAge: Seconds(10), absoluteExpiration: In(15));
        table.Put(2, "absolute", absoluteExpiration: In(15));
        Advance(8);
        Assert.True(table.Refresh(1));
        Assert.True(table.Refresh(2));
        Advance(6.7);
        Assert.Equal([1, 2], Keys(table));
        Assert.True(table.TryGet(1, out var value));
        Assert.Equal("both", value);
        Advance(0.3);
        Assert.Empty(Keys(table));
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void SlidingExpiration_IsMovedByReads_UpToTheOtherEnds()
    {
        var table = _caches.Create<int, byte[]>(new CacheTableOptions { SlidingExpiration = Seconds(10) });
        var value = Piles.Payload(1, 700);
        table.Put(1, value);
        table.Put(2, value);
        table.Put(3, value, maxAge: Seconds(25));
        table.Put(4, value, absoluteExpiration: In(25));
        for (var i = 0; i < 3; i++)
        {
            Advance(8);
            Assert.True(table.TryGet(1, out var found));
            Assert.True(Piles.IsPayload(found, 1));
            table.TryRead(3, new byte[800], out _);
            Assert.True(table.TryGet(4, out _));
            Assert.NotEmpty(table.Enumerate());
        }

        Assert.Equal([1, 3, 4], Keys(table));
        Advance(1);
        Assert.Equal([1], Keys(table));
        Advance(8.7);
        Assert.Equal([1], Keys(table));
        Advance(0.3);
        Assert.Empty(Keys(table));
    }

    [Fact]
    public void BoundedEntry_IsReadIntoARoomThatFitsItsValueExactly()
    {
        var table = _caches.Create<int, byte[]>();
        table.Put(1, Piles.Payload(1, 700), absoluteExpiration: In(10));
        var exact = new byte[700];
        Assert.True(table.TryRead(1, exact, out var length));
        Assert.Equal(700, length);
        Assert.True(Piles.IsPayload(exact, 1));
        Assert.True(table.TryRead(1, new byte[699], out length));
        Assert.Equal(700, length);
    }

    [Fact]
    [Trait("Case", "pile-22")]
    public void AgeFilter_FindsNoOlderEntry()
    {
        var table = _caches.Create<int, string>(new CacheTableOptions { TracksAge = true });
        table.Put(1, "a");
        table.Put(2, "b", maxAge: Seconds(100), absoluteExpiration: In(100));
        Advance(10);
        Assert.True(table.TryGet(1, out _, maxAge: Seconds(10)));
        Advance(1);
        Assert.False(table.TryGet(1, out _, maxAge: Seconds(10)));
        Assert.False(table.TryRead(2, new byte[99], out _, maxAge: Seconds(10)));
        Assert.True(table.TryGet(1, out _));
        Assert.True(table.Refresh(1));
        Assert.True(table.Refresh(2));
        Assert.True(table.TryGet(1, out _, maxAge: Seconds(10)));
        Assert.True(table.TryGet(2, out _, maxAge: Seconds(10)));

        var other = _caches.Create<int, string>(name: "other");
        other.Put(1, "a");
        Assert.Throws<InvalidOperationException>(() => other.TryGet(1, out _, maxAge: Seconds(10)));
    }

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);

    private static IEnumerable<int> Keys<TValue>(CacheTable<int, TValue> table)
        where TValue : notnull =>
        table.Enumerate().Select(entry => entry.Key).Order();

    private DateTimeOffset In(double seconds) => _caches.Clock.GetUtcNow() + Seconds(seconds);

    private void Advance(double seconds) => _caches.Clock.Advance(Seconds(seconds));
}
