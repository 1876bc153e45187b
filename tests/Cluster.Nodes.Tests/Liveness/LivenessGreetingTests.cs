using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Tests.Liveness;

public sealed class LivenessGreetingTests
{
    private static readonly Guid Incarnation = new("00112233-4455-6677-8899-aabbccddeeff");

    [Fact]
    public void Encode_GoldenBytes() => Assert.Equal(
        "436C734C6966653100112233445566778899AABBCCDDEEFF", Convert.ToHexString(LivenessGreeting.Encode(Incarnation)));

    [Fact]
    public void Decode_WhatEncodeWrote_IsTheIncarnation() =>
        Assert.Equal(Incarnation, LivenessGreeting.Decode(LivenessGreeting.Encode(Incarnation)));

    [Fact]
    public void Decode_EveryDamageToMagicOrLength_IsNull()
    {
        var greeting = LivenessGreeting.Encode(Incarnation);
        Assert.Null(LivenessGreeting.Decode(greeting.AsSpan(0, 23)));
        Assert.Null(LivenessGreeting.Decode([]));
        for (var index = 0; index < 8; index++)
        {
            var damaged = greeting.ToArray();
            damaged[index] ^= 1;
            Assert.Null(LivenessGreeting.Decode(damaged));
        }
    }
}
