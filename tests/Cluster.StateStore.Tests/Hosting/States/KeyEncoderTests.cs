using Cluster.Pile.Caching;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.States;

/// <summary>Canonical bytes are stored and hashed permanently, so a test fixes each form.</summary>
public sealed class KeyEncoderTests
{
    [Fact]
    public void ToBytes_EachKindOfKey_GivesItsPinnedBytes()
    {
        Check("", "");
        Check("aä€😀", "61C3A4E282ACF09F9880");
        Check((byte)0x12, "12");
        Check((sbyte)-2, "FE");
        Check((short)0x1234, "3412");
        Check((ushort)0x1234, "3412");
        Check('A', "4100");
        Check(0x12345678, "78563412");
        Check(-1, "FFFFFFFF");
        Check(0x12345678u, "78563412");
        Check(0x1122334455667788L, "8877665544332211");
        Check(0x1122334455667788UL, "8877665544332211");
        Check((Int128)1, "01000000000000000000000000000000");
        Check(UInt128.MaxValue, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
        Check(new Guid("00112233-4455-6677-8899-aabbccddeeff"), "33221100554477668899AABBCCDDEEFF");
        Check(new byte[] { 1, 2, 3 }, "010203");
    }

    [Fact]
    public void ToBytes_ByteArray_IsACopy()
    {
        var key = new byte[] { 1 };
        Assert.NotSame(key, KeyEncoder<byte[]>.Find(null, out _)!.ToBytes(key));
    }

    [Fact]
    public void ToBytes_HalfASurrogatePair_IsRefused()
    {
        var codec = KeyEncoder<string>.Find(null, out _)!;
        Assert.Throws<ArgumentException>(() => codec.ToBytes("a\udc00"));
    }

    [Fact]
    public void Find_CustomCodec_IsUsedAlsoForKnownTypes()
    {
        var codec = KeyEncoder<string>.Find(new Lowercase(), out var remedy)!;
        Assert.Null(remedy);
        Assert.Equal("ab"u8.ToArray(), codec.ToBytes("AB"));
    }

    [Fact]
    public void Find_TypesWithoutCanonicalBytes_NameTheRemedy()
    {
        CheckRefused<DateTime>();
        CheckRefused<double>();
        CheckRefused<bool>();
        CheckRefused<nint>();
        CheckRefused<(int, int)>();
        CheckRefused<Uri>();
    }

    private static void Check<TKey>(TKey key, string expected)
        where TKey : notnull =>
        Assert.Equal(expected, Convert.ToHexString(KeyEncoder<TKey>.Find(null, out _)!.ToBytes(key)!));

    private static void CheckRefused<TKey>()
        where TKey : notnull
    {
        Assert.Null(KeyEncoder<TKey>.Find(null, out var remedy));
        Assert.Contains("s.KeyCodec", remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void ToBytes_CustomCodecWithALongKey_GetsUpToTheLargestKey()
    {
        var codec = KeyEncoder<string>.Find(new Lowercase(), out _)!;
        Assert.Equal(StateDefinition.MaxKeyBytes, codec.ToBytes(new('A', StateDefinition.MaxKeyBytes))!.Length);
        Assert.Null(codec.ToBytes(new('A', StateDefinition.MaxKeyBytes + 1)));
    }

    private sealed class Lowercase : IKeyCodec<string>
    {
        public string Form => "lowercase";

        public bool TryEncode(string key, Span<byte> destination, out int length) =>
            Encoding.UTF8.TryGetBytes(key.ToLowerInvariant(), destination, out length);

        public string Decode(ReadOnlySpan<byte> bytes) => Encoding.UTF8.GetString(bytes);
    }
}
