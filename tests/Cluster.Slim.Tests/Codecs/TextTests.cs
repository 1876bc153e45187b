using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Strings and characters: nothing is lost, nothing depends on sharing.</summary>
[Trait("Case", "slim-A")]
public sealed class TextTests
{
    private readonly SlimSerializer _slim = new();

    [Theory]
    [InlineData("")]
    [InlineData("a")]
    [InlineData("plain ascii text")]
    [InlineData("\u007F\u0080\u00FF\u0100")]
    [InlineData("Grüße")]
    [InlineData("漢字")]
    [InlineData("😀")]
    [InlineData("\0a\0")]
    [InlineData("\uD800")]
    [InlineData("\uDC00\uD800")]
    [InlineData("\uFEFF\uFFFF")]
    public void Strings_ComeBack(string text)
    {
        RoundTripMatrix.CheckEqual(text);
        RoundTripMatrix.CheckEqual<object>(text);
        string?[] many = [text, null, text + text, ""];
        RoundTripMatrix.Check(many, back => Assert.Equal(many, back));
    }

    // 63 and 8,191 are the last lengths whose header is one and two bytes long; at 32 Ki the writer changes its way.
    [Theory]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(8_191)]
    [InlineData(8_192)]
    [InlineData(32 * 1024)]
    [InlineData((32 * 1024) + 1)]
    [InlineData(1_048_575)]
    public void Strings_OfLengthsWhereTheHeaderOrTheWriterChanges_ComeBack(int length)
    {
        foreach (var filler in "aß漢\uDC00")
        {
            string text = new(filler, length);
            Assert.Equal(text, _slim.DeepClone(text));
            var last = new string('a', length - 1) + filler;
            Assert.Equal(last, _slim.DeepClone(last));
        }
    }

    [Theory]
    [InlineData(512 * 1024)]
    [InlineData(1_000_000)]
    [InlineData(1_500_000)]
    public void Strings_OfManyWideCharacters_ComeBack(int length)
    {
        var text = string.Create(length, 0, static (span, _) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = (char)((i * 7) + 0x4E00);
        });
        Holder holder = new(text, text[1..]);
        Assert.Equal(holder, _slim.DeepClone(holder));
        Assert.Equal(holder, _slim.Deserialize<Holder>(SegmentedSequence.Random(_slim.Serialize(holder)[..], 1)));
    }

    [Fact]
    public void SameString_AThousandTimes_GivesTheBytesOfEqualStrings()
    {
        var text = "the same text";
        string[] shared = [.. Enumerable.Repeat(text, 1_000)];
        string[] equal = [.. Enumerable.Range(0, 1_000).Select(_ => new string(text))];
        Assert.Equal(_slim.Serialize(equal), _slim.Serialize(shared));
        RoundTripMatrix.Check(shared, back => Assert.Equal(shared, back));
    }

    [Fact]
    public void EmptyString_StaysTheSingleton_AndNullStaysNull()
    {
        RoundTripMatrix.Check("", back => Assert.Same(string.Empty, back));
        RoundTripMatrix.Check<string?>(null, Assert.Null);
    }

    [Fact]
    [Trait("Case", "slim-M")]
    public void Characters_OfEveryKind_ComeBack()
    {
        char[] characters = ['a', '\0', '\uD800', '\uDFFF', '\uFFFF', '\u007F', '\u0080'];
        RoundTripMatrix.CheckEqual(characters);
        RoundTripMatrix.Check(characters, back => Assert.Equal(characters, back));
        char[] all = [.. Enumerable.Range(0, 0x10000).Select(i => (char)i)];
        Assert.Equal(all, _slim.DeepClone(all));
        Assert.Equal(new string(all), _slim.DeepClone(new string(all)));
    }

    private sealed record Holder(string First, string Second);
}
