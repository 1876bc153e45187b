using System.Security.Cryptography;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Beacons;

namespace Cluster.Nodes.Tests.Beacons;

/// <summary>The bytes of <c>docs/formats/liveness.md</c>.</summary>
public sealed class BeaconFormatTests
{
    private const string Text = "a secret of the format";
    private static readonly Guid Accepter = new("00112233-4455-6677-8899-aabbccddeeff");
    private static readonly byte[] Hello = [.. "ClsBeat1"u8, .. Enumerable.Range(0, 48).Select(index => (byte)index)];
    private static readonly byte[] Challenge = [.. Enumerable.Range(100, 32).Select(index => (byte)index)];

    [Fact]
    public void Frame_GoldenBytes()
    {
        using var stream = new MemoryStream();
        BeaconFrame.Write(stream, [0xAA, 0xBB]);
        BeaconFrame.Write(stream, []);
        Assert.Equal("00000002AABB00000000", Convert.ToHexString(stream.ToArray()));
        stream.Position = 0;
        Assert.Equal([0xAA, 0xBB], BeaconFrame.Read(stream)!);
        Assert.Equal([], BeaconFrame.Read(stream)!);
        Assert.Null(BeaconFrame.Read(stream));
    }

    [Theory]
    [InlineData("0000")]
    [InlineData("00000002AA")]
    public void Frame_CutOff_Throws(string bytes)
    {
        using var stream = new MemoryStream(Convert.FromHexString(bytes));
        Assert.Throws<EndOfStreamException>(() => BeaconFrame.Read(stream));
    }

    [Fact]
    public void Frame_LongerThanTheLimit_IsRefusedBeforeItIsRead()
    {
        using var stream = new MemoryStream([0, 1, 0, 1]);
        Assert.Throws<BeaconRefusedException>(() => BeaconFrame.Read(stream));
    }

    [Fact]
    public void Proofs_AreKeyedHashesOfWhatBothSidesHaveSaid()
    {
        var transcript = new BeaconTranscript("realm", Accepter, Hello, Challenge);
        var secret = new GlueSecret(Text);
        Assert.Equal(Expected("ClsBeat1 opener "), transcript.ProveOpener(secret));
        Assert.Equal(Expected("ClsBeat1 accept "), transcript.ProveAccepter(secret));
    }

    /// <summary>While a secret is changed, nodes have two.</summary>
    [Fact]
    public void Proofs_OfAnySecret_AreAccepted_AndOfNoOther()
    {
        var transcript = new BeaconTranscript("realm", Accepter, Hello, Challenge);
        var trust = new GluePeerIdentity { Secrets = { new GlueSecret("the newer secret"), new GlueSecret(Text) } };
        Assert.True(transcript.IsOfOpener(transcript.ProveOpener(new GlueSecret(Text)), trust));
        Assert.True(transcript.IsOfAccepter(transcript.ProveAccepter(new GlueSecret(Text)), trust));
        Assert.False(transcript.IsOfOpener(transcript.ProveAccepter(new GlueSecret(Text)), trust));
        Assert.False(transcript.IsOfOpener(transcript.ProveOpener(new GlueSecret("another secret")), trust));
        Assert.False(transcript.IsOfOpener([], trust));
        var other = new BeaconTranscript("another realm", Accepter, Hello, Challenge);
        Assert.False(transcript.IsOfOpener(other.ProveOpener(new GlueSecret(Text)), trust));
    }

    private static byte[] Expected(string label)
    {
        byte[] message =
        [
            .. Encoding.ASCII.GetBytes(label), 0, 0, 0, 5, .. "realm"u8,
            .. Convert.FromHexString("00112233445566778899AABBCCDDEEFF"), .. Hello, .. Challenge,
        ];
        return HMACSHA256.HashData(Encoding.UTF8.GetBytes(Text), message);
    }
}
