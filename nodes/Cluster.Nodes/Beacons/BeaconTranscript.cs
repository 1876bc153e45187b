using System.Security.Cryptography;
using Cluster.Glue.Authorization;

namespace Cluster.Nodes.Beacons;

/// <summary>What both sides of a handshake have said before the proofs. A proof is a keyed hash over it behind a label
/// of the side, so that it fits no other connection, no other cluster, no other life and not the other side.
/// Immutable.</summary>
/// <param name="realm">The identity of the cluster.</param>
/// <param name="accepter">The life that listens.</param>
/// <param name="hello">The hello of the other side.</param>
/// <param name="challenge">What the accepter has answered.</param>
internal sealed class BeaconTranscript(string realm, Guid accepter, byte[] hello, byte[] challenge)
{
    private static ReadOnlySpan<byte> OpenerLabel => "ClsBeat1 opener "u8;

    private static ReadOnlySpan<byte> AccepterLabel => "ClsBeat1 accept "u8;

    /// <summary>The proof of the side that has connected.</summary>
    public byte[] ProveOpener(GlueSecret secret) => secret.Prove(Write(OpenerLabel));

    /// <summary>The proof of the side that listens.</summary>
    public byte[] ProveAccepter(GlueSecret secret) => secret.Prove(Write(AccepterLabel));

    /// <summary>Whether the side that has connected knows one of the secrets.</summary>
    public bool IsOfOpener(ReadOnlySpan<byte> proof, GluePeerIdentity trust) => IsAny(proof, trust, ProveOpener);

    /// <summary>Whether the side that listens knows one of the secrets.</summary>
    public bool IsOfAccepter(ReadOnlySpan<byte> proof, GluePeerIdentity trust) => IsAny(proof, trust, ProveAccepter);

    // All secrets are tried, so that the time does not reveal which one it was.
    private static bool IsAny(ReadOnlySpan<byte> proof, GluePeerIdentity trust, Func<GlueSecret, byte[]> prove)
    {
        var isAny = false;
        foreach (var secret in trust.Secrets)
            isAny |= CryptographicOperations.FixedTimeEquals(prove(secret), proof);
        return isAny;
    }

    private byte[] Write(ReadOnlySpan<byte> label)
    {
        var text = Encoding.UTF8.GetBytes(realm);
        var length = new byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(length, text.Length);
        return [.. label, .. length, .. text, .. accepter.ToByteArray(bigEndian: true), .. hello, .. challenge];
    }
}
