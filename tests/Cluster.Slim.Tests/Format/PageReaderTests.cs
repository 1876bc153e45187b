namespace Cluster.Slim.Tests.Format;

/// <summary>The golden messages, read by a reader that was written from the format page alone. Each has to be used up
/// to its last byte, and what the page says about handles, types and fields has to be found in them.</summary>
[Trait("Case", "slim-N")]
public sealed class PageReaderTests
{
    // Those of users' codecs cannot be read without the codec, which is what the page says.
    private static readonly string[] WithCodecs = ["codec", "roots"];

    public static TheoryData<string> Names => new(SlimFormatTests.Names.Except([.. WithCodecs, "session-2"]));

    [Theory]
    [MemberData(nameof(Names))]
    public void GoldenMessage_ReadByThePage_IsUsedUp(string name) => Assert.Single(Read(name));

    [Fact]
    public void Codecs_EndWhatThePageCanTell() =>
        Assert.All(WithCodecs, static name => Assert.Throws<NotSupportedException>(() => Read(name)));

    [Fact]
    public void Record_ReadByThePage_HasItsFields()
    {
        foreach (var name in (string[])["record-full", "record-known"])
        {
            var record = Assert.IsType<PageObject>(Read(name)[0]);
            Assert.Equal("sku", record.Fields["<Sku"]);
            Assert.Equal(3, BitConverter.ToInt32((byte[])record.Fields["<Count"]!));
            Assert.StartsWith("Cluster.Slim.Tests.Format.GoldenCases+Line, ", record.Type.Name, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Cycle_ReadByThePage_ClosesByItsHandle()
    {
        var first = Assert.IsType<PageObject>(Read("cycle")[0]);
        var second = Assert.IsType<PageObject>(first.Fields["Next"]);
        Assert.Same(first, second.Fields["Next"]);
        Assert.Equal((0, 1), (first.Handle, second.Handle));
    }

    [Fact]
    public void DeepChain_ReadByThePage_HasEveryNode()
    {
        var number = 199;
        for (var node = Read("deep")[0]; node is PageObject next; node = next.Fields["Next"], number--)
            Assert.Equal(number, BitConverter.ToInt32((byte[])next.Fields["Number"]!));
        Assert.Equal(-1, number);
    }

    [Fact]
    public void Session_ReadByThePage_NeedsItsFirstMessage()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => new PageReader(SlimFormatTests.GoldenOf("session-2"), []).Read());
        var first = Assert.IsType<PageObject>(Read("session-1")[0]);
        Assert.Equal("first", ((Dictionary<string, object?>)first.Parts[0]!)["<Text"]);
    }

    private static List<object?> Read(string name)
    {
        Dictionary<ulong, PageLayout> catalog = [];
        foreach (var full in (string[])["record-full", "cycle"])
        {
            PageReader other = new(SlimFormatTests.GoldenOf(full), []);
            other.Read();
            catalog = catalog.Concat(other.Described).ToDictionary();
        }

        return new PageReader(SlimFormatTests.GoldenOf(name), catalog).Read();
    }
}
