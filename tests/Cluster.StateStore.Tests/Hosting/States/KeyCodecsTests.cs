using System.Buffers;
using System.Text;
using Cluster.StateStore.Hosting.States;

namespace Cluster.StateStore.Tests.Hosting.States;

/// <summary>The canonical bytes are stored and hashed for ever: each form is pinned here.</summary>
public sealed class KeyCodecsTests
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
        Assert.NotSame(key, KeyCodecs.Find<byte[]>(null, out _)!.ToBytes(key));
    }

    [Fact]
    public void ToBytes_HalfASurrogatePair_IsRefused()
    {
        var codec = KeyCodecs.Find<string>(null, out _)!;
        Assert.Throws<ArgumentException>(() => codec.ToBytes("a\udc00"));
    }

    [Fact]
    public void Find_CustomCodec_IsUsedAlsoForKnownTypes()
    {
        var codec = KeyCodecs.Find(new Lowercase(), out var remedy)!;
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
        Assert.Equal(expected, Convert.ToHexString(KeyCodecs.Find<TKey>(null, out _)!.ToBytes(key)));

    private static void CheckRefused<TKey>()
        where TKey : notnull
    {
        Assert.Null(KeyCodecs.Find<TKey>(null, out var remedy));
        Assert.Contains("s.KeyCodec", remedy, StringComparison.Ordinal);
    }

    private sealed class Lowercase : IKeyCodec<string>
    {
        public void Write(string key, IBufferWriter<byte> output) =>
            output.Write(Encoding.UTF8.GetBytes(key.ToLowerInvariant()));
    }
}
