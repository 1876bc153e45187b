using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Messages;

/// <summary>Long texts are read as the framework reads them, at every length and with nothing behind them.</summary>
public sealed class LongTextTests
{
    [Fact]
    public void EveryByte_OfEveryLength_IsWidenedToItsCharacter()
    {
        for (var length = ShortText.LengthMax; length <= 6 * ShortText.LengthMax; length++)
        {
            byte[] bytes = [.. Enumerable.Range(0, length).Select(static i => (byte)(255 - i))];
            Assert.Equal(Encoding.Latin1.GetString(bytes), LongText.NewText(ref bytes[0], length));
        }
    }
}
