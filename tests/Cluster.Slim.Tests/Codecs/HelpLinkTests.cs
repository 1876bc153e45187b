namespace Cluster.Slim.Tests.Codecs;

/// <summary>Help links of exceptions: one that was given travels, one that the class computes does not.</summary>
[Trait("Case", "slim-F")]
public sealed class HelpLinkTests
{
    private readonly SlimSerializer _slim = new(
        new SlimOptions().Allow<SlimMalformedException>().Allow<LinkedException>().Allow<KeptLinkException>());

    [Fact]
    public void ComputedLink_OfOurOwnException_IsNotInTheBytes_AndIsThereAfterReading()
    {
        var error = Malformed();
        Assert.EndsWith("docs/error-catalogue.md#slimmalformedexception", error.HelpLink, StringComparison.Ordinal);
        var bytes = _slim.Serialize<Exception>(error);
        Assert.DoesNotContain("error-catalogue", Encoding.UTF8.GetString(bytes), StringComparison.Ordinal);
        var back = Assert.IsType<SlimMalformedException>(_slim.Deserialize<Exception>(bytes));
        Assert.Equal(error.HelpLink, back.HelpLink);
    }

    [Fact]
    public void GivenLink_OfOurOwnException_Travels()
    {
        var error = Malformed();
        error.HelpLink = "https://example.org/help";
        Assert.Equal("https://example.org/help", _slim.DeepClone<Exception>(error).HelpLink);
    }

    [Fact]
    public void ComputedLink_OfAUserException_IsNotInTheBytes_AndIsThereAfterReading()
    {
        LinkedException error = new("m");
        var bytes = _slim.Serialize<Exception>(error);
        Assert.DoesNotContain("example", Encoding.UTF8.GetString(bytes), StringComparison.Ordinal);
        Assert.Equal("https://example.org/m", _slim.Deserialize<Exception>(bytes).HelpLink);
    }

    [Fact]
    public void Link_OfAUserExceptionThatKeepsItItself_Travels()
    {
        KeptLinkException error = new("m") { HelpLink = "https://example.org/kept" };
        var bytes = _slim.Serialize<Exception>(error);
        Assert.Contains("kept", Encoding.UTF8.GetString(bytes), StringComparison.Ordinal);
        Assert.Equal("https://example.org/kept", _slim.Deserialize<Exception>(bytes).HelpLink);
    }

    private SlimMalformedException Malformed() =>
        Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Exception>(new byte[] { 1, 2, 3 }));

    private sealed class LinkedException(string message) : Exception(message)
    {
        public override string? HelpLink => base.HelpLink ?? $"https://example.org/{Message}";
    }

    private sealed class KeptLinkException(string message) : Exception(message)
    {
        [NonSerialized]
        private string? _link;

        public override string? HelpLink
        {
            get => _link;
            set => _link = value;
        }
    }
}
