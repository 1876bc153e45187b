using System.Security.Cryptography;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Settings;

/// <summary>The key that both sides of an authenticated link derive from their secret in the handshake. Further streams
/// join the link with a proof by it, each with a number that was not seen before on its substream, so that a recorded
/// join opens nothing. A lock protects the numbers.</summary>
internal sealed class LinkKey(byte[] key)
{
    private readonly Lock _gate = new();
    private readonly ulong[] _highest = new ulong[Enum.GetValues<SubstreamRole>().Length];

    /// <summary>Signs the next join of a substream.</summary>
    public JoinRequest Sign(JoinRequest join)
    {
        JoinRequest numbered;
        lock (_gate)
            numbered = join with { Number = ++_highest[(int)join.Substream] };
        return numbered with { Proof = ProofOf(numbered) };
    }

    /// <summary>Whether the opener of the link has signed the join, and its number is new.</summary>
    public bool Accepts(JoinRequest join)
    {
        if (join.Proof is null || !CryptographicOperations.FixedTimeEquals(ProofOf(join), join.Proof))
            return false;
        lock (_gate)
        {
            if (join.Number <= _highest[(int)join.Substream])
                return false;
            _highest[(int)join.Substream] = join.Number;
            return true;
        }
    }

    /// <summary>The proof in the accepter's answer to a join.</summary>
    public byte[] ProveJoined(JoinRequest join, ulong receivedCount) => Hash("glue joined", join, receivedCount);

    /// <summary>Never shows the key.</summary>
    public override string ToString() => "(secret)";

    private byte[] ProofOf(JoinRequest join) => Hash("glue join", join, 0);

    private byte[] Hash(string label, JoinRequest join, ulong receivedCount)
    {
        var text = new WireBuffer(256, GlueLimits.HandshakeBytesMax);
        text.WriteText(label);
        (join with { Proof = [] }).Write(text);
        text.WriteVarint(receivedCount);
        var hash = HMACSHA256.HashData(key, text.WrittenSpan);
        text.Reset();
        return hash;
    }
}
