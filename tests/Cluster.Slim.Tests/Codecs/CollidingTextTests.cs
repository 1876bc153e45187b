using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Collections of strings begin with a hash function without seed and change to one with a seed after 100
/// collisions: texts that all collide in the first one are found nevertheless.</summary>
[Trait("Case", "slim-G")]
public sealed class CollidingTextTests
{
    private const int Count = 1_000;
    private static readonly string[] Texts = [.. Colliding(first: 0)];
    private static readonly string[] Strangers = [.. Colliding(first: 0x4000)];

    [Fact]
    public void Texts_OfTheseTests_Collide()
    {
        var hash = typeof(string).GetMethod(
            "GetNonRandomizedHashCode", BindingFlags.Instance | BindingFlags.NonPublic)!;
        Assert.Single(Texts.Concat(Strangers).Select(text => hash.Invoke(text, null)).Distinct());
        Assert.Equal(2 * Count, Texts.Concat(Strangers).Distinct().Count());
    }

    [Fact]
    public void Maps_OfCollidingTexts_FindEachOfThem()
    {
        var map = Texts.Index().ToDictionary(static p => p.Item, static p => p.Index);
        RoundTripMatrix.Check(map, CheckMap);
        RoundTripMatrix.Check(new Dictionary<string, int>(map, StringComparer.Ordinal), CheckMap);
        RoundTripMatrix.Check(new Dictionary<string, int>(map, StringComparer.OrdinalIgnoreCase), CheckMap);
    }

    [Fact]
    public void Sets_OfCollidingTexts_FindEachOfThem()
    {
        RoundTripMatrix.Check<HashSet<string>>([.. Texts], CheckSet);
        RoundTripMatrix.Check(new HashSet<string>(Texts, StringComparer.Ordinal), CheckSet);
    }

    [Fact]
    public void DerivedCollections_OfCollidingTexts_FindEachOfThem()
    {
        Index index = new() { Tag = "tag" };
        foreach ((var number, var text) in Texts.Index())
            index.Add(text, number);
        RoundTripMatrix.Check(index, static back =>
        {
            Assert.Equal("tag", back.Tag);
            CheckMap(back);
        });
        Words words = new() { Tag = "tag" };
        words.UnionWith(Texts);
        RoundTripMatrix.Check(words, static back =>
        {
            Assert.Equal("tag", back.Tag);
            CheckSet(back);
        });
    }

    // Also further ones afterwards: the collection goes on as one that nobody has serialized.
    private static void CheckMap(Dictionary<string, int> back)
    {
        foreach ((var number, var text) in Texts.Index())
            Assert.Equal(number, back[text]);
        Assert.DoesNotContain(Strangers[0], back.Keys);
        for (var i = 0; i < Count; i++)
            Assert.True(back.TryAdd(Strangers[i], i));
        Assert.All(Strangers, text => Assert.True(back.ContainsKey(text)));
        Assert.False(back.TryAdd(Texts[0], 0));
    }

    private static void CheckSet(HashSet<string> back)
    {
        Assert.All(Texts, text => Assert.Contains(text, back));
        Assert.All(Strangers, text => Assert.True(back.Add(text)));
        Assert.False(back.Add(Texts[0]));
        Assert.Equal(2 * Count, back.Count);
    }

    // The function mixes each second pair of characters into one of two numbers: next = (rotl(number, 5) + number) ^
    // pair. So for any first pair there is a third one that leads to the same number.
    private static IEnumerable<string> Colliding(uint first)
    {
        const uint start = (5381u << 16) + 5381;
        const uint target = 0x00410041;
        return Enumerable.Range(0, int.MaxValue)
            .Select(number => 0x00610000 + first + (uint)number)
            .Select(pair => Text(pair, Mixed(Mixed(start) ^ pair) ^ target))
            .Where(static text => !text.Any(static c => c == 0 || char.IsSurrogate(c)))
            .Take(Count);
    }

    private static uint Mixed(uint number) => uint.RotateLeft(number, 5) + number;

    private static string Text(uint first, uint third) =>
        new([
            (char)(ushort)first, (char)(first >> 16), 'x', 'x', (char)(ushort)third, (char)(third >> 16), 'x', 'x',
        ]);

    private sealed class Index : Dictionary<string, int>
    {
        public string? Tag;
    }

    private sealed class Words : HashSet<string>
    {
        public string? Tag;
    }
}
