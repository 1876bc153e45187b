using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Vectors made with the reference command-line tool over the bytes (i * 131 + 7) mod 256.</summary>
public sealed class XxHash3Tests
{
    [Theory]
    [InlineData(0, 0x2D06800538D394C2UL)]
    [InlineData(1, 0x4C5CCA45D0F4811FUL)]
    [InlineData(2, 0x29C60963CBFA4E6EUL)]
    [InlineData(3, 0x6E3E2670E61106ACUL)]
    [InlineData(4, 0x5C4C63133443D03FUL)]
    [InlineData(5, 0x49F5EB3111280B63UL)]
    [InlineData(8, 0xF9FD4DD0B04D78F5UL)]
    [InlineData(9, 0x7C20DF9712C26EDFUL)]
    [InlineData(12, 0x16D2DFF54DC2EE45UL)]
    [InlineData(16, 0x86ABF6BACCEA0858UL)]
    [InlineData(17, 0xB58BF5DC5022D071UL)]
    [InlineData(31, 0x48442FCD5518B086UL)]
    [InlineData(32, 0xE3712ED84C04A66EUL)]
    [InlineData(33, 0xA4DEE99B093E1F73UL)]
    [InlineData(64, 0x1291D2D4042330DDUL)]
    [InlineData(65, 0x97C6BF83217E5EC9UL)]
    [InlineData(100, 0x5DA67EAC6D4093D5UL)]
    [InlineData(128, 0x10D17F72C0CCBA41UL)]
    [InlineData(129, 0x1648BDC3DB49D1A2UL)]
    [InlineData(160, 0x655C8DC33B4B4C4AUL)]
    [InlineData(200, 0xC0FBC0F4E181C826UL)]
    [InlineData(240, 0xB6CFAF343FAB81E6UL)]
    [InlineData(241, 0x956CAE592C67279EUL)]
    [InlineData(256, 0xB15E550733C5DFACUL)]
    [InlineData(511, 0x5A17DA924907228AUL)]
    [InlineData(512, 0xA0E9790EB93990D7UL)]
    [InlineData(1023, 0xA94FFCD2254368E4UL)]
    [InlineData(1024, 0x70BD377D9574F4BBUL)]
    [InlineData(1025, 0x66C4487C41E127A7UL)]
    [InlineData(1088, 0xF43DC77E28A9ACBCUL)]
    [InlineData(2048, 0x8B46CAA67DAB3A30UL)]
    [InlineData(4097, 0x34EECAECD32195A4UL)]
    [InlineData(10000, 0x9E5D23D943285455UL)]
    [Trait("Case", "transport-9")]
    public void Hash_OfPattern_EqualsReference(int length, ulong expected)
    {
        Assert.Equal(expected, XxHash3.Hash(Pattern(length)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(16)]
    [InlineData(128)]
    [InlineData(240)]
    [InlineData(5000)]
    public void Hash_WithSeed_DiffersFromPlainHash(int length)
    {
        Assert.NotEqual(XxHash3.Hash(Pattern(length)), XxHash3.Hash(Pattern(length), 1));
        Assert.NotEqual(XxHash3.Hash(Pattern(length), 2), XxHash3.Hash(Pattern(length), 1));
    }

    private static byte[] Pattern(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)((i * 131) + 7))];
}
