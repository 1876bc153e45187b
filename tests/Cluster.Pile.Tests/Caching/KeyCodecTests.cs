using Cluster.Pile.Caching;

namespace Cluster.Pile.Tests.Caching;

/// <summary>Which keys are the same, for each way of making bytes of them.</summary>
public sealed class KeyCodecTests : IDisposable
{
    private readonly Caches _caches = new();

    public void Dispose() => _caches.Dispose();

    [Fact]
    [Trait("Case", "pile-21")]
    public void KeysOfEveryUsualType_AreToldApart_AndComeBack()
    {
        CheckKeys<long>(0, 1, -1, long.MinValue, long.MaxValue);
        CheckKeys<ulong>(0, 1, ulong.MaxValue);
        CheckKeys(0, 1, -1, int.MinValue, int.MaxValue);
        CheckKeys<uint>(0, uint.MaxValue);
        CheckKeys<short>(0, -1, short.MinValue);
        CheckKeys<ushort>(0, ushort.MaxValue);
        CheckKeys<byte>(0, 255);
        CheckKeys<sbyte>(0, -1, -128);
        CheckKeys('\0', 'a', '\uFFFF');
        CheckKeys<nint>(0, -1, 5);
        CheckKeys(DayOfWeek.Sunday, DayOfWeek.Friday);
        CheckKeys(Small.One, Small.Last);
        CheckKeys(Guid.Empty, Guid.NewGuid(), Guid.NewGuid());
        CheckKeys("", "a", "A", "\0", "\u00E9", "\u0100", "\uD800", "a\u0100", new string('k', 4000));
    }

    [Fact]
    public void ByteArrays_AreTheSameKey_WhenTheirBytesAre()
    {
        var table = _caches.Create<byte[], string>();
        Assert.Equal(PutResult.Inserted, table.Put([1, 2], "a"));
        Assert.Equal(PutResult.Replaced, table.Put([1, 2], "b"));
        Assert.Equal(PutResult.Inserted, table.Put([], "c"));
        Assert.Equal([[], [1, 2]], table.Enumerate().Select(entry => entry.Key).OrderBy(key => key.Length));
    }

    [Fact]
    [Trait("Case", "pile-21")]
    public void Strings_WithoutRegardToCase_AreOneKey()
    {
        var exact = _caches.Create<string, string>(name: "exact");
        var loose = _caches.Create<string, string>(null, KeyCodecs.OrdinalIgnoreCase, "loose");
        Assert.Equal(PutResult.Inserted, exact.Put("Key", "1"));
        Assert.Equal(PutResult.Inserted, exact.Put("KEY", "2"));
        Assert.Equal(PutResult.Inserted, loose.Put("Key", "1"));
        Assert.Equal(PutResult.Replaced, loose.Put("kEY", "2"));
        Assert.True(loose.TryGet("key", out var found));
        Assert.Equal("2", found);
        Assert.Equal("KEY", Assert.Single(loose.Enumerate()).Key);
    }

    [Fact]
    public void CaseOfEveryCharacter_IsFoldedAsTheComparerDoes()
    {
        var comparer = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var folded = new HashSet<string>(StringComparer.Ordinal);
        var buffer = new byte[16];
        for (int c = char.MinValue; c <= char.MaxValue; c++)
        {
            var text = ((char)c).ToString();
            Assert.True(KeyCodecs.OrdinalIgnoreCase.TryEncode(text, buffer, out var length));
            Assert.True(
                comparer.Add(text) == folded.Add(Convert.ToHexString(buffer, 0, length)), $"character {c:X4}");
        }
    }

    [Fact]
    public void KeysWithoutAUsualWay_NeedACodec()
    {
        var failure = Assert.Throws<ArgumentException>(() => _caches.Create<DateOnly, string>());
        Assert.Contains("IKeyCodec", failure.Message, StringComparison.Ordinal);
        var table = _caches.Create<DateOnly, string>(keys: new Days());
        table.Put(new DateOnly(2026, 1, 2), "day");
        Assert.True(table.TryGet(new DateOnly(2026, 1, 2), out _));
        Assert.Equal(new DateOnly(2026, 1, 2), Assert.Single(table.Enumerate()).Key);
    }

    private enum Small : byte
    {
        One = 1,
        Last = 255,
    }

    private void CheckKeys<TKey>(params TKey[] keys)
        where TKey : notnull
    {
        var table = _caches.Create<TKey, string>(name: typeof(TKey).Name);
        foreach (var key in keys)
            Assert.Equal(PutResult.Inserted, table.Put(key, $"{key}"));
        foreach (var key in keys)
        {
            Assert.True(table.TryGet(key, out var value));
            Assert.Equal($"{key}", value);
            Assert.True(table.TryRead(key, default, out _));
        }

        Assert.Equal(keys.ToHashSet(), table.Enumerate().Select(entry => entry.Key).ToHashSet());
    }

    private sealed class Days : IKeyCodec<DateOnly>
    {
        public string Form => "day-number";

        public bool TryEncode(DateOnly key, Span<byte> destination, out int length)
        {
            length = sizeof(int);
            return BitConverter.TryWriteBytes(destination, key.DayNumber);
        }

        public DateOnly Decode(ReadOnlySpan<byte> bytes) => DateOnly.FromDayNumber(BitConverter.ToInt32(bytes));
    }
}
