namespace Cluster.Contracts.Tests;

/// <summary>Text of other processes stays on its line of a log.</summary>
public sealed class LogTextTests
{
    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData(null, "")]
    [InlineData("", "")]
    [InlineData("node-7 at 10.0.0.7:5101", "node-7 at 10.0.0.7:5101")]
    [InlineData("naïve 日本 😀", "naïve 日本 😀")]
    [InlineData("a\nb\r\nc\td", @"a\nb\r\nc\td")]
    [InlineData("\u001b[2J\0\u007f\u0085", @"\u001B[2J\u0000\u007F\u0085")]
    [InlineData("a\u2028b\u2029c", @"a\u2028b\u2029c")]
    [InlineData("a\u202Eb\u200Bc", @"a\u202Eb\u200Bc")]
    public void Text_IsCleaned(string? text, string expected) => Assert.Equal(expected, LogText.Clean(text));

    [Fact]
    [Trait("Case", "repair-A10")]
    public void HalfOfASurrogatePair_IsEscaped() =>
        Assert.Equal(@"a\uD83Db\uDE00", LogText.Clean($"a{'\uD83D'}b{'\uDE00'}"));

    [Fact]
    [Trait("Case", "repair-A10")]
    public void PlainText_IsNotCopied()
    {
        string text = new('x', LogText.LengthMax);
        Assert.Same(text, LogText.Clean(text));
    }

    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData("abcdef", 3, "abc… (6 characters)")]
    [InlineData("ab\ncdef", 4, @"ab\nc… (7 characters)")]
    public void LongText_IsCut_AndSaysSo(string text, int lengthMax, string expected) =>
        Assert.Equal(expected, LogText.Clean(text, lengthMax));

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Exception_ThatCannotForge_StaysItself()
    {
        var plain = Thrown(new InvalidOperationException("a", Thrown(new ArgumentException("b", "c"))));
        Assert.Same(plain, LogText.Clean(plain));
        var many = Thrown(new AggregateException(plain, Thrown(new TimeoutException("d"))));
        Assert.Same(many, LogText.Clean(many));
    }

    [Theory]
    [Trait("Case", "repair-A10")]
    [InlineData("a\nfail: forged")]
    [InlineData("a\r\n\u001b[2Jfail: forged")]
    [InlineData("a\u2028fail: forged")]
    public void Exception_ThatCouldForge_IsCleaned_WithItsTypeCausesAndStack(string message)
    {
        var inner = Thrown(new TimeoutException(message));
        foreach (var forged in new[]
        {
            inner,
            Thrown(new InvalidOperationException("outer", inner)),
            Thrown(new AggregateException("many", new ArgumentException("first"), inner)),
        })
        {
            var clean = LogText.Clean(forged);
            foreach (var text in new[] { clean.ToString(), clean.Message })
            {
                Assert.All(text.Split(Environment.NewLine).Skip(1), line => Assert.StartsWith(" ", line));
                Assert.DoesNotContain(text.Replace(Environment.NewLine, "", StringComparison.Ordinal),
                    one => char.IsControl(one) || one == '\u2028');
            }

            Assert.Contains(forged.GetType().FullName!, clean.Message, StringComparison.Ordinal);
            Assert.Contains(typeof(TimeoutException).FullName!, clean.ToString(), StringComparison.Ordinal);
            Assert.Contains("forged", clean.ToString(), StringComparison.Ordinal);
            Assert.Contains(nameof(Thrown), clean.ToString(), StringComparison.Ordinal);
            Assert.Same(clean, LogText.Clean(clean));
        }
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void Exception_WhoseOwnCodeThrows_IsToldAllTheSame() =>
        Assert.Contains("(cannot be read)", LogText.Clean(new SilentException()).ToString(), StringComparison.Ordinal);

    private static Exception Thrown(Exception exception)
    {
        try
        {
            throw exception;
        }
        catch (Exception caught)
        {
            return caught;
        }
    }

    private sealed class SilentException : Exception
    {
        public override string Message => throw new NotSupportedException();
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void RemoteException_KeepsItsMessage_AndItsTextCannotForgeAnEntry()
    {
        var exception = new RemoteException("Shop.X\nfail: forged", "a\nfail: forged", "   at A()\nfail: forged");
        Assert.Equal("a\nfail: forged", exception.Message);
        var lines = exception.ToString().Split('\n');
        Assert.DoesNotContain(lines, line => line.StartsWith("fail:", StringComparison.Ordinal));
        Assert.Contains("   at A()", lines.Select(line => line.TrimEnd('\r')));
    }
}
