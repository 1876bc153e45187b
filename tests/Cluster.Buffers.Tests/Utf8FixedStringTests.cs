using System.Text.Unicode;
using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Texts of fixed capacity: what they hold, how they are cut, compared and converted.</summary>
public sealed class Utf8FixedStringTests
{
    // One char, two, a surrogate pair, a letter with a mark, a family of seven code points, a flag.
    private static readonly string[] Characters = ["a", "ß", "漢", "😀", "e\u0301", "👨‍👩‍👧‍👦", "🇩🇪", "\r\n", "\0"];

    [Fact]
    public void Text_OfAnySort_ComesBack()
    {
        using var pile = Budgets.CreatePile();
        foreach (var owner in (LocalPile?[])[null, pile])
        {
            foreach (var text in (string[])["", "abc", string.Concat(Characters), new string('漢', 40_000)])
            {
                var fixedText = Utf8FixedString.Create(text, owner);
                Assert.Equal(text, fixedText.ToString());
                Assert.Equal(Encoding.UTF8.GetBytes(text), fixedText.AsSpan().ToArray());
                Assert.Equal(fixedText.CapacityBytes, fixedText.LengthBytes);
                Assert.True(fixedText.Equals(text.AsSpan()));
                Assert.Equal(text, $"{fixedText}");
                Assert.True(fixedText.Free());
                Assert.False(fixedText.Free());
                Assert.Throws<InvalidPileBufferException>(() => fixedText.ToString());
            }
        }
    }

    [Fact]
    public void Text_ThatIsTooLong_IsRefusedAndLeavesTheOldOne()
    {
        var text = Utf8FixedString.Create(5);
        text.Set("漢a");
        Assert.False(text.TrySet("漢漢"));
        Assert.Throws<ArgumentException>(() => text.Set("漢漢"));
        Assert.Throws<ArgumentException>(() => text.Set("123456"u8));
        Assert.Equal("漢a", text.ToString());
        Assert.True(text.TrySet("12345"));
        text.Set("1234"u8);
        Assert.Equal("1234", text.ToString());
        Assert.True(text.Free());
    }

    [Fact]
    public void Text_ThatIsMalformed_IsRefusedAndLeavesTheOldOne()
    {
        var text = Utf8FixedString.Create(50);
        text.Set("old");
        foreach (var malformed in (string[])["\uD800", "a\uDC00b", "😀\uD83D", "\uDE00\uD83D"])
        {
            Assert.Throws<ArgumentException>(() => text.Set(malformed));
            Assert.Throws<ArgumentException>(() => text.TrySet(malformed));
            Assert.Throws<ArgumentException>(() => text.SetTruncated(malformed));
            Assert.Throws<ArgumentException>(() => Utf8FixedString.Create(malformed));
        }

        Assert.Throws<ArgumentException>(() => text.Set([0xC3]));
        Assert.Throws<ArgumentException>(() => text.Set([0xED, 0xA0, 0x80]));
        Assert.Equal("old", text.ToString());
        Assert.True(text.Free());
        Assert.Throws<ArgumentOutOfRangeException>(() => Utf8FixedString.Create(-1));
    }

    [Fact]
    public void Text_CutToAnyCapacity_NeverTearsACharacter()
    {
        var random = new Random(20);
        for (var round = 0; round < 300; round++)
        {
            var whole = string.Concat(Enumerable.Range(0, 8).Select(_ => Characters[random.Next(Characters.Length)]));
            var borders = StringInfo.ParseCombiningCharacters(whole).Append(whole.Length).ToHashSet();
            var capacity = random.Next(60);
            var text = Utf8FixedString.Create(capacity);
            var taken = text.SetTruncated(whole);
            Assert.Contains(taken, borders);
            Assert.Equal(whole[..taken], text.ToString());
            Assert.True(Utf8.IsValid(text.AsSpan()) && text.LengthBytes <= capacity);

            // No whole character more would have fitted.
            var next = borders.Where(border => border > taken).DefaultIfEmpty(-1).Min();
            Assert.True(next < 0 || Encoding.UTF8.GetByteCount(whole[..next]) > capacity);
            Assert.True(text.Free());
        }
    }

    [Fact]
    public void Texts_CompareByContentAndCodePoint()
    {
        string[] ordered = ["", "a", "ab", "b", "ß", "漢", "\uFFFD", "😀", "😀a"];
        var texts = ordered.Select((text, i) => Text(text, 20 + i)).ToArray();
        var others = ordered.Select(text => Text(text, 40)).ToArray();
        for (var i = 0; i < texts.Length; i++)
        {
            for (var j = 0; j < texts.Length; j++)
            {
                Assert.Equal(i.CompareTo(j), Math.Sign(texts[i].CompareTo(others[j])));
                Assert.Equal(i == j, texts[i] == others[j]);
                Assert.Equal(i != j, texts[i] != others[j]);
                Assert.Equal(i < j, texts[i] < others[j]);
                Assert.Equal(i <= j, texts[i] <= others[j]);
                Assert.Equal(i > j, texts[i] > others[j]);
                Assert.Equal(i >= j, texts[i] >= others[j]);
                Assert.Equal(i == j, texts[i].Equals(ordered[j].AsSpan()));
                Assert.Equal(i == j, texts[i].Equals((object)others[j]));
            }

            Assert.Equal(texts[i].GetHashCode(), others[i].GetHashCode());
        }

        Assert.Equal(texts.Length, texts.Concat(others).Distinct().Count());
        Assert.All(texts.Concat(others), text => Assert.True(text.Free()));
    }

    [Fact]
    public void Text_IsCopiedWhereItFits()
    {
        var text = Utf8FixedString.Create("a😀b");
        var chars = new char[4];
        Assert.True(text.TryCopyTo(chars, out var written));
        Assert.Equal((4, "a😀b"), (written, new string(chars)));
        Assert.False(text.TryCopyTo(chars.AsSpan(0, 3), out written));
        Assert.Equal(0, written);
        var bytes = new byte[6];
        Assert.True(Utf8.TryWrite(bytes, $"{text}", out var bytesWritten));
        Assert.Equal(6, bytesWritten);
        Assert.False(Utf8.TryWrite(bytes.AsSpan(0, 5), $"{text}", out _));
        Assert.True(text.Free());
    }

    [Fact]
    public void Default_IsAnEmptyTextWithoutRoom()
    {
        var text = default(Utf8FixedString);
        Assert.Equal(("", 0, 0), (text.ToString(), text.CapacityBytes, text.LengthBytes));
        var empty = Utf8FixedString.Create("");
        Assert.Equal(empty, text);
        Assert.True(empty.Free());
        text.Set("");
        Assert.False(text.TrySet("a"));
        Assert.Equal(0, text.SetTruncated("a"));
        Assert.False(text.Free());
        Assert.Throws<InvalidPileBufferException>(text.Retain);
    }

    [Fact]
    public void Text_WithLeases_IsNotFreed()
    {
        var text = Utf8FixedString.Create("abc");
        text.Retain();
        Assert.Throws<PileBusyException>(() => text.Free());
        text.Release();
        Assert.True(text.Free());
    }

    private static Utf8FixedString Text(string text, int capacity)
    {
        var created = Utf8FixedString.Create(capacity);
        created.Set(text);
        return created;
    }
}
