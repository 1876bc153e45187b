using System.Collections.Frozen;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Tests.Security;

/// <summary>What hashing, comparing and checking keys costs is counted against the bytes of the message: an object that
/// many collections share counts for each of them, whatever it holds. Ordinary data stays far below the
/// limit.</summary>
[Trait("Case", "slim-M")]
[Trait("Case", "repair-A4")]
public sealed class KeyWorkTests
{
    private const int SetCount = 1500;

    private static readonly Dictionary<string, Func<object>> Hostile = new()
    {
        ["text of a shared key"] = static () => Sets(new Named(new string('x', 20_000), 0)),
        ["text of a shared key of an unsealed type"] = static () => Sets(new Open(new string('x', 20_000))),
        ["text below a shared key"] = static () => Sets(new Named("k", new Open(new string('x', 20_000)))),
        ["address"] = static () => Sets(new Uri("http://host/" + new string('x', 20_000))),
        ["tuple"] = static () => Sets(Tuple.Create(new string('x', 20_000), 1)),
        ["parts of a shared key"] = static () => Sets(Wide(12)),
        ["dictionaries"] = static () => Shared(new Named(new string('x', 20_000), 0), static key =>
            new Dictionary<Named, byte> { [key] = 1 }),
        ["frozen sets"] = static () => Shared(new Named(new string('x', 20_000), 0), static key =>
            new[] { key }.ToFrozenSet()),
        ["immutable sets"] = static () => Shared(new Named(new string('x', 20_000), 0), static key =>
            ImmutableHashSet.Create(key)),
        ["concurrent dictionaries"] = static () => Shared(new Named(new string('x', 20_000), 0), static key =>
            new ConcurrentDictionary<Named, byte> { [key] = 1 }),
        ["walks from immutable sets"] = static () => Walks(),
    };

    public static TheoryData<string> Names => new(Hostile.Keys);

    /// <summary>The attack that cost 11 s for 160 KB: now its cost is bounded, and nobody writes it either.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void KeySharedByManyCollections_IsRefused_OnBothSides(string name)
    {
        var value = Hostile[name]();
        var slim = New(_ => { });
        var open = New(static limits => limits.MaxKeyWorkPerByte = int.MaxValue);
        var message = UnprovenMessage.Of(open, value);
        CheckRefused(() => slim.Deserialize<object>(message));
        Assert.InRange(Scratch.IdleReader!.LastKeySteps, 1, 2 * ((64 * 1024) + (256L * message.Length)));
        CheckRefused(() => slim.Serialize(value));
    }

    /// <summary>Each cookie is compared with all before it, so collections that share cookies cost much for few
    /// bytes.</summary>
    [Fact]
    [Trait("Case", "repair-A4")]
    public void CookiesSharedByManyCollections_AreRefused_OnBothSides()
    {
        Cookie[] cookies =
            [.. Enumerable.Range(0, 1000).Select(static i => new Cookie("n" + i, "v", "/", "example.org"))];
        CookieCollection[] collections = [.. Enumerable.Range(0, 20).Select(_ =>
        {
            CookieCollection collection = [];
            foreach (var cookie in cookies)
                collection.Add(cookie);
            return collection;
        })];
        SlimSerializer slim = new();
        Assert.Equal(1000, slim.DeepClone(collections[0]).Count);
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte),
            Assert.Throws<SlimLimitException>(() => slim.Serialize(collections)).LimitName);
        SlimSerializer unlimited = new(new SlimOptions { Limits = { MaxKeyWorkPerByte = int.MaxValue } });
        var message = unlimited.Serialize(collections);
        Assert.Equal(20, unlimited.Deserialize<CookieCollection[]>(message).Length);
        Assert.Equal(nameof(SlimLimits.MaxKeyWorkPerByte),
            Assert.Throws<SlimLimitException>(() => slim.Deserialize<CookieCollection[]>(message)).LimitName);
    }

    [Fact]
    public void CollectionsThatWaitInManyCycles_AreOrderedInOneLookAtTheHandles()
    {
        object[] cycles = [.. Enumerable.Range(0, 3000).Select(static _ => Cycle())];
        var slim = New(static limits => limits.MaxGraphBytes = long.MaxValue);
        var message = slim.Serialize<object>(cycles);
        var back = (object[])slim.Deserialize<object>(message);
        Assert.All(back, static set => Assert.Single((HashSet<object>)set));
    }

    [Fact]
    public void OrdinaryKeys_StayFarBelowTheLimit()
    {
        Named[] keys = [.. Enumerable.Range(0, 50).Select(static i => new Named($"customer {i}", i))];
        object[] values =
        [
            Enumerable.Range(0, 2000).ToDictionary(static i => new Named($"order number {i}", i)),
            Enumerable.Range(0, 2000).ToDictionary(static i => new Open($"order number {i}")),
            Enumerable.Range(0, 500).Select(_ => keys.ToDictionary(static k => k, static k => k.Text)).ToArray(),
            Grid(100), Grid(400),
            Enumerable.Range(0, 5000).ToDictionary(static _ => Guid.NewGuid()),
            Enumerable.Range(0, 5000).ToImmutableDictionary(static i => (i, $"{i}")),
        ];
        var slim = New(static limits => limits.MaxKeyWorkPerByte = 64);
        foreach (var value in values)
            Assert.NotNull(slim.DeepClone(value));
    }

    private static Dictionary<long, byte> Grid(int size) => Enumerable.Range(0, size * size)
        .ToDictionary(i => ((long)(i / size) << 32) | (uint)(i % size), static i => (byte)i);

    private static HashSet<T>[] Sets<T>(T key) => Shared(key, static k => new HashSet<T> { k });

    private static TCollection[] Shared<TKey, TCollection>(TKey key, Func<TKey, TCollection> collect)
    {
        var all = new TCollection[SetCount];
        for (var i = 0; i < all.Length; i++)
            all[i] = collect(key);
        return all;
    }

    // Each level holds the next one twice, and all of it is hashed for each set.
    private static Pair Wide(int levels)
    {
        Pair? pair = null;
        for (var i = 0; i < levels; i++)
            pair = new Pair(pair, pair);
        return pair!;
    }

    // Every immutable set is built while something waits, and looks through the array for it.
    private static object[] Walks()
    {
        Holder holder = new() { Rest = new object[20_000] };
        var all = new object[3001];
        all[0] = new HashSet<Open> { new("waits") };
        for (var i = 1; i < all.Length; i++)
            all[i] = ImmutableHashSet.Create<object>(new Keeper(holder, i));
        return all;
    }

    private static HashSet<object> Cycle()
    {
        HashSet<object> first = [];
        first.Add(new HashSet<object> { first });
        return first;
    }

    private static SlimSerializer New(Action<SlimLimits> configure)
    {
        SlimOptions options = new();
        configure(options.Limits);
        options.Allow<HashSet<Named>[]>().Allow<HashSet<Open>[]>().Allow<HashSet<Uri>[]>().Allow<HashSet<Pair>[]>()
            .Allow<HashSet<Tuple<string, int>>[]>().Allow<Dictionary<Named, byte>[]>().Allow<FrozenSet<Named>[]>()
            .Allow<ImmutableHashSet<Named>[]>().Allow<ConcurrentDictionary<Named, byte>[]>().Allow<HashSet<object>>()
            .Allow<ImmutableHashSet<object>>().Allow<Keeper>().Allow<Dictionary<Named, int>>()
            .Allow<Dictionary<Open, int>>().Allow<Dictionary<Named, string>[]>().Allow<Dictionary<long, byte>>()
            .Allow<Dictionary<Guid, int>>().Allow<ImmutableDictionary<(int, string), int>>();
        return new SlimSerializer(options);
    }

    private static void CheckRefused(Action act) => Assert.Equal(
        nameof(SlimLimits.MaxKeyWorkPerByte), Assert.Throws<SlimLimitException>(act).LimitName);

    private sealed record Named(string Text, object? Other);

    private sealed record Open(string Text);

    private sealed record Pair(Pair? Left, Pair? Right);

    private sealed class Holder
    {
        public object[] Rest = [];
    }

    private sealed record Keeper(Holder Holder, int Number);
}
