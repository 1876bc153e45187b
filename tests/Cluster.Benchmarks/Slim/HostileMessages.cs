using System.Collections.Frozen;
using Cluster.Slim;

namespace Cluster.Benchmarks.Slim;

/// <summary>Messages made to cost a reader as much as they can for each of their bytes: keys that collide, that many
/// collections share, that are deep, and graphs that have to be walked through. Written without limits; read with the
/// default ones, which refuse some of them.</summary>
public static class HostileMessages
{
    private const int SharedCount = 4000;
    private const int TextLength = 20_000;

    /// <summary>What every message is read with.</summary>
    public static SlimSerializer NewReader() => new(Allow(new SlimOptions()));

    /// <summary>The messages by name.</summary>
    public static IReadOnlyDictionary<string, byte[]> All()
    {
        var open = Allow(new SlimOptions());
        open.Limits.MaxKeyWorkPerByte = int.MaxValue;
        SlimSerializer writer = new(open);
        return Values().ToDictionary(static v => v.Name, v => writer.Serialize(v.Value));
    }

    private static IEnumerable<(string Name, object Value)> Values()
    {
        Named key = new(new string('x', TextLength), null);
        yield return ("shared sets", Shared(() => new HashSet<Named> { key }));
        yield return ("shared dictionaries", Shared(() => new Dictionary<Named, byte> { [key] = 1 }));
        yield return ("shared frozen sets", Shared(() => new[] { key }.ToFrozenSet()));
        yield return ("shared immutable sets", Shared(() => ImmutableHashSet.Create(key)));
        var deep = Deep();
        yield return ("deep keys", Shared(() => new HashSet<Named> { deep }));
        yield return ("grid", Grid(400));
        yield return (
            "collisions", Enumerable.Range(0, 3000).ToDictionary(static i => i * 0x1_0000_0001L, static _ => (byte)0));
        yield return ("concurrent collisions", new ConcurrentDictionary<long, byte>(
            Enumerable.Range(0, 2000).ToDictionary(static i => i * 0x1_0000_0001L, static _ => (byte)0)));
        yield return ("texts of a culture", Texts(StringComparer.Create(CultureInfo.InvariantCulture, true)));
        yield return (
            "records", Enumerable.Range(0, 5000).ToDictionary(static i => new Named($"{i}", i), static i => i));
        yield return ("small sets", Shared(static () => new HashSet<int>()));
        yield return ("cycles", Enumerable.Range(0, 2000).Select(static _ => Cycle()).ToArray());
        yield return ("arrays of nulls", new object?[1000][].Select(static _ => new object?[100]).ToArray());
    }

    private static T[] Shared<T>(Func<T> collect) => [.. Enumerable.Range(0, SharedCount).Select(_ => collect())];

    private static Named Deep()
    {
        Named key = new("leaf", null);
        for (var i = 0; i < 200; i++)
            key = new Named("k", key);

        return key;
    }

    private static Dictionary<long, byte> Grid(int size) => Enumerable.Range(0, size * size)
        .ToDictionary(i => ((long)(i / size) << 32) | (uint)(i % size), static _ => (byte)0);

    private static HashSet<string> Texts(StringComparer comparer) =>
        Enumerable.Range(0, 3000).Select(static i => $"text number {i}").ToHashSet(comparer);

    private static HashSet<object> Cycle()
    {
        HashSet<object> set = [];
        set.Add(new HashSet<object> { set });
        return set;
    }

    private static SlimOptions Allow(SlimOptions options) => options.Allow<HashSet<Named>[]>()
        .Allow<Dictionary<Named, byte>[]>().Allow<FrozenSet<Named>[]>().Allow<ImmutableHashSet<Named>[]>()
        .Allow<Dictionary<long, byte>>().Allow<ConcurrentDictionary<long, byte>>().Allow<HashSet<string>>()
        .Allow<Dictionary<Named, int>>().Allow<HashSet<int>[]>().Allow<HashSet<object>[]>().Allow<object?[][]>();

    private sealed record Named(string Text, object? Other);
}
