namespace Cluster.Slim.Tests.Messages;

/// <summary>Texts around the lengths at which their reading changes: what they give, what they cost, how they are
/// refused.</summary>
public sealed class TextReadTests
{
    private const int LengthMax = 136;

    [Fact]
    public void Text_OfEveryLengthAndWidth_ComesBack() => ForEach(static text =>
    {
        SlimSerializer slim = new();
        Assert.Equal(text, slim.Deserialize<string>(slim.Serialize(text)));
        Assert.Equal([text, "end"], slim.Deserialize<string[]>(slim.Serialize<string[]>([text, "end"])));
    });

    [Fact]
    public void Text_CutAnywhere_IsMalformed() => ForEach(static text =>
    {
        SlimSerializer slim = new();
        var message = slim.Serialize(text);
        for (var length = 0; length < message.Length; length++)
            Assert.Throws<SlimMalformedException>(() => slim.Deserialize<string>(message.AsSpan(0, length)));
    });

    [Fact]
    public void Text_OneCharacterOverTheLimit_IsRefused() => ForEach(static text =>
    {
        if (text.Length < 2)
            return;
        var message = new SlimSerializer().Serialize(text);
        Assert.Equal(text, Of(l => l.MaxStringLength = text.Length).Deserialize<string>(message));
        Assert.Equal(nameof(SlimLimits.MaxStringLength), Assert.Throws<SlimLimitException>(
            () => Of(l => l.MaxStringLength = text.Length - 1).Deserialize<string>(message)).LimitName);
    });

    [Fact]
    public void Text_OneByteOverTheMemory_IsRefused() => ForEach(static text =>
    {
        // The memory of a string: header, length, characters and a terminator, in units of eight.
        var bytes = (29 + (2L * text.Length)) & ~7L;
        var message = new SlimSerializer().Serialize(text);
        Assert.Equal(text, Of(l => l.MaxGraphBytes = bytes).Deserialize<string>(message));
        Assert.Equal(nameof(SlimLimits.MaxGraphBytes), Assert.Throws<SlimLimitException>(
            () => Of(l => l.MaxGraphBytes = bytes - 1).Deserialize<string>(message)).LimitName);
    });

    private static void ForEach(Action<string> check)
    {
        for (var length = 1; length <= LengthMax; length++)
        {
            check(string.Create(length, 'a', Fill));
            check(string.Create(length, 'ж', Fill));
        }
    }

    private static void Fill(Span<char> text, char first)
    {
        for (var i = 0; i < text.Length; i++)
            text[i] = (char)(first + (i % 26));
    }

    private static SlimSerializer Of(Action<SlimLimits> limit)
    {
        SlimOptions options = new();
        limit(options.Limits);
        return new SlimSerializer(options);
    }
}
