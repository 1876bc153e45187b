using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Tests.Liveness;

public sealed class LivenessAddressTests
{
    [Theory]
    [InlineData("127.0.0.1:7001")]
    [InlineData("127.0.0.1:7001@0123456789abcdef")]
    [InlineData("[::1]:7001@abc")]
    [InlineData("node-1.example:65535")]
    public void Parse_WhatToStringWrote_IsTheSame(string text) =>
        Assert.Equal(text, LivenessAddress.Parse(text)!.ToString());

    [Theory]
    [InlineData("")]
    [InlineData("127.0.0.1")]
    [InlineData(":7001")]
    [InlineData("host:0")]
    [InlineData("host:65536")]
    [InlineData("host:-1")]
    [InlineData("host:port@kernel")]
    public void Parse_SomethingElse_IsNull(string text) => Assert.Null(LivenessAddress.Parse(text));

    [Theory]
    [InlineData("127.0.0.1:1", true)]
    [InlineData("127.8.8.8:1", true)]
    [InlineData("localhost:1", true)]
    [InlineData("[::1]:1", true)]
    [InlineData("10.0.0.1:1", false)]
    [InlineData("example:1", false)]
    public void IsLoopback_ByHost(string text, bool expected) => Assert.Equal(expected, LivenessAddress.Parse(text)!.IsLoopback);

    [Fact]
    public void KernelTag_InOneProcess_IsStableAndShort()
    {
        Assert.Equal(KernelTag.Read(), KernelTag.Read());
        Assert.Equal(16, KernelTag.Read().Length);
    }

    [Fact]
    [Trait("Case", "repair-A10")]
    public void ToString_HostAndKernelWithLineBreaks_StayOnOneLine()
    {
        var address = LivenessAddress.Parse("a\nERROR forged:1@k\u001b[31m")!;
        Assert.DoesNotContain(address.ToString(), char.IsControl);
    }
}
