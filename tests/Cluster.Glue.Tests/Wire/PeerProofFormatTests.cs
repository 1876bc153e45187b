using Cluster.Glue.Settings;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

/// <summary>The bytes of proofs, as docs/formats/glue-wire.md has them.</summary>
public sealed class PeerProofFormatTests
{
    private static readonly byte[] Secret = Encoding.UTF8.GetBytes("the secret of the golden bytes");
    private static readonly PeerTranscript Transcript = new("cluster 1", new byte[] { 1, 2, 3 }, new byte[] { 4, 5 });

    [Fact]
    public void Hello_WithNonce_EndsWithItsBlock()
    {
        byte[] nonce = [.. Enumerable.Range(1, 32).Select(one => (byte)one)];
        var hello = new Hello(2, 2, new NodeId("a", Guid.Empty), 4096, 128, default, TimeSpan.FromSeconds(1))
        {
            Nonce = nonce,
        };
        var bytes = hello.ToBytes();
        Assert.Equal("E807" + "20" + Convert.ToHexString(nonce), Convert.ToHexString(bytes)[^70..]);
        Assert.Equal(nonce, Hello.Read(bytes).Nonce);
        // A side that proves nothing writes nothing, or an empty block.
        Assert.Null(Hello.Read([.. (hello with { Nonce = null }).ToBytes(), 0]).Nonce);
    }

    [Fact]
    public void Proofs_AreHashesOfLabelRealmHelloAndWelcome()
    {
        Assert.Equal(HashOf("0B", "glue opener"), Convert.ToHexString(Transcript.ProveOpener(Secret)));
        Assert.Equal(HashOf("0D", "glue accepter"), Convert.ToHexString(Transcript.ProveAccepter(Secret)));
    }

    [Fact]
    public void Join_OfAnAuthenticatedLink_EndsWithNumberAndProof()
    {
        var join = new JoinRequest(2, new LinkSecret(UInt128.One), SubstreamRole.Calls, 300);
        var signed = Transcript.KeyOf(Secret).Sign(join);
        var output = new WireBuffer(64, 1024);
        signed.Write(output);
        var body = "474C5545" + "02" + "01" + new string('0', 30) + "01" + "AC02" + "01";
        Assert.Equal(body + "20" + Convert.ToHexString(signed.Proof!), Convert.ToHexString(output.WrittenSpan));
        var key = Convert.FromHexString(HashOf("09", "glue link"));
        byte[] proved = [9, .. "glue join"u8, .. Convert.FromHexString(body), 0, 0];
        Assert.Equal(System.Security.Cryptography.HMACSHA256.HashData(key, proved), signed.Proof);
        Assert.Equal(signed.Proof, JoinRequest.Read(output.WrittenSpan).Proof);
    }

    [Fact]
    public void Join_IsAcceptedOnce_AndInOrder()
    {
        var opener = Transcript.KeyOf(Secret);
        var accepter = Transcript.KeyOf(Secret);
        var join = new JoinRequest(2, new LinkSecret(UInt128.One), SubstreamRole.Calls, 300);
        var first = opener.Sign(join);
        var second = opener.Sign(join);
        Assert.True(accepter.Accepts(second));
        Assert.False(accepter.Accepts(second));
        Assert.False(accepter.Accepts(first));
        Assert.False(accepter.Accepts(opener.Sign(join) with { ReceivedCount = 301 }));
        Assert.False(accepter.Accepts(opener.Sign(join) with { Substream = SubstreamRole.Control }));
        Assert.False(accepter.Accepts(join));
        Assert.True(accepter.Accepts(opener.Sign(join)));
    }

    // Written from the page.
    private static string HashOf(string labelLength, string label)
    {
        byte[] text =
        [
            .. Convert.FromHexString(labelLength), .. Encoding.ASCII.GetBytes(label), 9, .. "cluster 1"u8, 3, 1, 2, 3, 2, 4, 5,
        ];
        return Convert.ToHexString(System.Security.Cryptography.HMACSHA256.HashData(Secret, text));
    }
}
