using System.Security.Cryptography;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Settings;

/// <summary>The parts of a handshake that both sides have seen: the realm, and Hello and Welcome with the random
/// numbers of both sides. Proofs are keyed hashes over it, with one label for each role, so that a proof fits no other
/// handshake, no other cluster and not the other side. Immutable.</summary>
internal sealed class PeerTranscript(string realm, ReadOnlyMemory<byte> hello, ReadOnlyMemory<byte> welcome)
{
    public byte[] ProveOpener(byte[] secret) => Hash(secret, "glue opener");

    public byte[] ProveAccepter(byte[] secret) => Hash(secret, "glue accepter");

    /// <summary>The key for the further streams of the link.</summary>
    public LinkKey KeyOf(byte[] secret) => new(Hash(secret, "glue link"));

    private byte[] Hash(byte[] secret, string label)
    {
        var text = new WireBuffer(512, GlueLimits.HandshakeBytesMax * 3);
        text.WriteText(label);
        text.WriteBlock(Encoding.UTF8.GetBytes(realm));
        text.WriteBlock(hello.Span);
        text.WriteBlock(welcome.Span);
        var hash = HMACSHA256.HashData(secret, text.WrittenSpan);
        text.Reset();
        return hash;
    }
}
