using Cluster.Pile.Caching;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Docs;

/// <summary>What docs/cache.md prints.</summary>
public sealed class CachePageTests
{
    private static readonly PileOptions Small = new() { BudgetBytes = 64L << 20 };

    [Fact]
    public void QuickStart_AsPrinted_Runs()
    {
        // <snippet:quick>
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20 });
        var cache = new PileCache(pile);
        var people = cache.GetOrCreateTable<long, Person>("people");

        people.Put(42, new Person("Ada", "Lovelace"));
        var isThere = people.TryGet(42, out var ada);          // a copy of your own
        var wasThere = people.Remove(42);
        // </snippet:quick>
        Assert.True(isThere && wasThere);
        Assert.Equal("Ada", ada!.FirstName);
    }

    [Fact]
    public void Bytes_AsPrinted_AllocateNothing()
    {
        using var pile = new LocalPile(Small);
        var cache = new PileCache(pile);
        ReadOnlySpan<byte> page = [1, 2, 3];

        // <snippet:bytes>
        var pages = cache.GetOrCreateTable<string, byte[]>("pages");
        pages.Put("/index", page);                                  // a span in, nothing allocated

        Span<byte> buffer = stackalloc byte[1024];
        var isThere = pages.TryRead("/index", buffer, out var length);     // and out; copied if the buffer holds it
        // </snippet:bytes>
        Assert.True(isThere);
        Assert.Equal([1, 2, 3], buffer[..length].ToArray());
    }

    [Fact]
    public void Many_AsPrinted_AreRead()
    {
        using var pile = new LocalPile(Small);
        var blocks = new PileCache(pile).GetOrCreateTable<long, byte[]>("blocks");
        blocks.Put(7, [1, 2, 3]);
        blocks.Put(9, [4, 5]);
        var found = new List<byte[]>();
        void Use(long key, ReadOnlySpan<byte> block) => found.Add([(byte)key, .. block]);

        // <snippet:many>
        ReadOnlySpan<long> keys = [7, 8, 9];
        var buffer = new byte[4096];
        var lengths = new int[keys.Length];
        var done = blocks.ReadMany(keys, buffer, lengths);          // values behind each other; here all three fit

        var at = 0;
        for (var i = 0; i < done; i++)
        {
            if (lengths[i] < 0)
                continue;                                           // no entry
            Use(keys[i], buffer.AsSpan(at, lengths[i]));
            at += lengths[i];
        }
        // </snippet:many>
        Assert.Equal(3, done);
        Assert.Equal([[7, 1, 2, 3], [9, 4, 5]], found);
    }

    [Fact]
    public void Keys_AsPrinted_AreCompared()
    {
        using var pile = new LocalPile(Small);
        var cache = new PileCache(pile);

        // <snippet:keys>
        var users = cache.GetOrCreateTable<string, string>("users", keys: KeyCodecs.OrdinalIgnoreCase);
        users.Put("Ada@example.com", "Ada");
        var isThere = users.TryGet("ada@EXAMPLE.com", out var name);
        // </snippet:keys>
        Assert.True(isThere);
        Assert.Equal("Ada", name);
    }

    [Fact]
    public void Expiry_AsPrinted_EndsEntries()
    {
        var clock = new ManualTimeProvider();
        using var pile = new LocalPile(new PileOptions { BudgetBytes = 64L << 20, TimeProvider = clock });
        var cache = new PileCache(pile);
        var midnight = clock.GetUtcNow().AddHours(10);

        // <snippet:expiry>
        var prices = cache.GetOrCreateTable<int, string>("prices", new CacheTableOptions
        {
            MaxAge = TimeSpan.FromMinutes(5),                       // where a put says nothing
        });
        prices.Put(1, "5.00");
        prices.Put(2, "7.50", maxAge: TimeSpan.FromSeconds(30));
        prices.Put(3, "9.00", maxAge: Timeout.InfiniteTimeSpan, absoluteExpiration: midnight);
        var renewed = prices.Refresh(1);                        // five minutes from now on
        // </snippet:expiry>
        Assert.True(renewed);
        clock.Advance(TimeSpan.FromMinutes(6));
        Assert.Equal([3], prices.Enumerate().Select(entry => entry.Key));
    }

    [Fact]
    public void Sliding_AsPrinted_IsMovedByReads()
    {
        using var pile = new LocalPile(Small);
        var cache = new PileCache(pile);

        // <snippet:sliding>
        var sessions = cache.GetOrCreateTable<Guid, string>("sessions", new CacheTableOptions
        {
            SlidingExpiration = TimeSpan.FromMinutes(20),           // from the last read or put
            MaxAge = TimeSpan.FromHours(8),                         // and not longer than this in any case
        });
        // </snippet:sliding>
        Assert.Equal(PutResult.Inserted, sessions.Put(Guid.NewGuid(), "cart"));
    }

    [Fact]
    public async Task Loads_AsPrinted_HappenOnce()
    {
        using var pile = new LocalPile(Small);
        var people = new PileCache(pile).GetOrCreateTable<long, Person>("people");

        // <snippet:loads>
        var ada = people.GetOrAdd(42, id => Load(id));

        var bob = await people.GetOrAddAsync(
            43, async (id, token) => await LoadAsync(id, token), maxAge: TimeSpan.FromMinutes(1));
        // </snippet:loads>
        Assert.Equal("42", ada.FirstName);
        Assert.Equal("43", bob.FirstName);
        Assert.Equal(2, people.Count);

        static Person Load(long id) => new($"{id}", "loaded");

        static ValueTask<Person> LoadAsync(long id, CancellationToken cancellationToken) => new(Load(id));
    }

    [Fact]
    public void Limits_AsPrinted_HoldTheTable()
    {
        using var pile = new LocalPile(Small);
        var cache = new PileCache(pile);

        // <snippet:limits>
        var thumbnails = cache.GetOrCreateTable<long, byte[]>("thumbnails", new CacheTableOptions
        {
            MaxBytes = 16 << 20,                                    // index and all; null means what the pile has
        });
        var result = thumbnails.Put(1, new byte[1000], priority: 2);

        var orders = cache.GetOrCreateTable<long, string>("orders", new CacheTableOptions
        {
            Kind = CacheTableKind.NonEvicting,                          // keeps what it has, refuses more
            MaxEntries = 100_000,                                   // also, or instead, by count
        });
        thumbnails.MaxBytes = 8 << 20;                              // at once
        // </snippet:limits>
        Assert.Equal(PutResult.Inserted, result);
        Assert.Equal(PutResult.Inserted, orders.Put(1, "x"));
        Assert.Equal(8 << 20, thumbnails.MaxBytes);
        Assert.Null(orders.MaxBytes);
    }

    [Fact]
    public void Pointers_AsPrinted_AreOwned()
    {
        using var pile = new LocalPile(Small);
        var cache = new PileCache(pile);
        var list = new List<int> { 1, 2, 3 };

        // <snippet:pointers>
        var carts = cache.GetOrCreateTable<long, List<int>>("carts");
        var cart = pile.Put(list, new PutHints { RoomBytes = 4096 });
        carts.PutPointer(7, cart);                                  // from here on the entry owns the object

        list.Add(4);
        pile.Put(cart, list);                                       // in place; reads of the entry see it
        // </snippet:pointers>
        Assert.True(carts.TryGet(7, out var found));
        Assert.Equal([1, 2, 3, 4], found);
    }

    [Fact]
    public void Statistics_AsPrinted_Tell()
    {
        using var pile = new LocalPile(Small);
        var people = new PileCache(pile).GetOrCreateTable<long, Person>("people");
        people.Put(1, new Person("a", "b"));

        // <snippet:statistics>
        var now = people.GetStatistics();
        var hitRatio = now.HitRatio;
        var bytesPerEntry = now.Bytes / Math.Max(1, now.Entries);
        // </snippet:statistics>
        Assert.Equal(0, hitRatio);
        Assert.True(bytesPerEntry > 0);
    }

    // <snippet:types>
    public sealed record Person(string FirstName, string LastName);
    // </snippet:types>
}
