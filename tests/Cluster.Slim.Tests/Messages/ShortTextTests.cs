using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Messages;

/// <summary>Short texts give the bytes that the framework gives, at every length, with any character
/// anywhere.</summary>
public sealed class ShortTextTests
{
    [Fact]
    public void Ascii_OfEveryLength_IsNarrowedAndWidened()
    {
        for (var length = 0; length <= ShortText.LengthMax; length++)
        {
            var text = string.Create(length, length, static (chars, seed) =>
            {
                for (var i = 0; i < chars.Length; i++)
                    chars[i] = (char)((seed + (i * 7)) % 128);
            });
            var bytes = new byte[length + 1];
            bytes[length] = 0xEE;
            Assert.True(Narrow(text, bytes));
            Assert.Equal(Encoding.ASCII.GetBytes(text), bytes[..length]);
            Assert.Equal(0xEE, bytes[length]);
            Assert.Equal(text, Widen(bytes, length));
        }
    }

    [Theory]
    [InlineData('\u0080')]
    [InlineData('\u00FF')]
    [InlineData('\u0100')]
    [InlineData('\u4E2D')]
    [InlineData('\uFFFF')]
    public void OneOtherCharacter_AnywhereInIt_IsNoticed(char other)
    {
        for (var length = 1; length <= ShortText.LengthMax; length++)
        {
            for (var at = 0; at < length; at++)
            {
                var text = new char[length];
                text.AsSpan().Fill('a');
                text[at] = other;
                Assert.False(Narrow(new string(text), new byte[length]), $"length {length}, position {at}");
            }
        }
    }

    [Fact]
    public void EveryByte_IsWidenedToItsCharacter()
    {
        for (var length = 1; length <= ShortText.LengthMax; length++)
        {
            byte[] bytes = [.. Enumerable.Range(0, length).Select(i => (byte)(255 - i))];
            Assert.Equal(Encoding.Latin1.GetString(bytes), Widen(bytes, length));
        }
    }

    [Fact]
    public void LongText_OfEveryLengthAndAlignment_IsNarrowed_AndOtherCharactersAreNoticed()
    {
        for (var length = ShortText.LengthMax + 1; length < 420; length++)
        {
            var source = new char[length + 32];
            var start = length % 32;
            var text = source.AsSpan(start, length);
            for (var i = 0; i < length; i++)
                text[i] = (char)((length + (i * 7)) % 128);
            var target = new byte[length + 1];
            target[length] = 0xEE;
            Assert.True(LongText.TryNarrow(text, ref target[0]));
            Assert.Equal(Encoding.ASCII.GetBytes(text.ToArray()), target[..length]);
            Assert.Equal(0xEE, target[length]);
            for (var at = 0; at < length; at++)
            {
                var before = text[at];
                text[at] = (char)(at % 2 == 0 ? 0x80 : 0x4E00);
                Assert.False(LongText.TryNarrow(text, ref target[0]), $"length {length}, position {at}");
                text[at] = before;
            }
        }
    }

    private static bool Narrow(string text, byte[] target)
    {
        char[] source = [.. text, '\0'];
        return ShortText.TryNarrow(ref source[0], ref target[0], text.Length);
    }

    private static string Widen(byte[] source, int length)
    {
        var target = new char[length + 1];
        target[length] = '\uEEEE';
        ShortText.Widen(ref source[0], ref target[0], length);
        Assert.Equal('\uEEEE', target[length]);
        return new string(target, 0, length);
    }
}
