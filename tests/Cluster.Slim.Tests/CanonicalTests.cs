using System.Collections.Frozen;

namespace Cluster.Slim.Tests;

/// <summary>Canonical writing: equal content gives equal bytes, whatever the order it was added in.</summary>
[Trait("Case", "slim-N")]
public sealed class CanonicalTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions { Canonical = true });

    [Fact]
    public void EqualContent_InAnotherOrder_GivesEqualBytes()
    {
        int[] numbers = [.. Enumerable.Range(-50, 100)];
        string[] texts = [.. numbers.Select(n => "k" + n)];
        Check(texts, items => items.ToDictionary(t => t, t => t.Length));
        Check(texts, items => items.ToHashSet());
        Check(numbers, items => items.ToHashSet());
        Check(numbers, items => new ConcurrentDictionary<int, int>(items.ToDictionary(n => n)));
        Check(texts, items => items.ToImmutableHashSet());
        Check(numbers, items => items.ToImmutableDictionary(n => n));
        Check(texts, items => items.ToFrozenSet());
        Check(numbers, items => items.ToFrozenDictionary(n => n));
    }

    [Fact]
    public void Order_ThatMeansSomething_IsKept()
    {
        Assert.Equal([3, 1, 2], _slim.DeepClone(new List<int> { 3, 1, 2 }));
        OrderedDictionary<string, int> ordered = new() { ["b"] = 1, ["a"] = 2 };
        Assert.Equal(ordered.Keys, _slim.DeepClone(ordered).Keys);
    }

    [Fact]
    public void Keys_WithoutAnOrder_AreRefused_ExceptAlone()
    {
        Dictionary<Version, int> map = new() { [new Version(1, 0)] = 1 };
        Assert.Single(_slim.DeepClone(map));
        map[new Version(2, 0)] = 2;
        Assert.Contains("canonical order", Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(map)).Message, StringComparison.Ordinal);
    }

    private void Check<TItem, T>(TItem[] items, Func<IEnumerable<TItem>, T> make) => Assert.Equal(
        Convert.ToHexString(_slim.Serialize(make(items))),
        Convert.ToHexString(_slim.Serialize(make(items.Reverse()))));
}
