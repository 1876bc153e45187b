using System.Security.Cryptography;
using Cluster.Glue.Authorization;
using Cluster.Nodes.Liveness;

namespace Cluster.Nodes.Beacons;

/// <summary>
/// How two nodes begin to exchange beacons on a connection to a liveness endpoint, behind its greeting. Normative in
/// <c>docs/formats/liveness.md</c>. Pure but for the stream and the random bytes.
/// <code>
/// opener    hello: magic "ClsBeat1" (8), incarnation of the opener (16), random bytes (32)
/// accepter  challenge: random bytes (32)
/// opener    proof (32)
/// accepter  proof (32)
/// </code>
/// </summary>
internal static class BeaconHandshake
{
    public const int HelloBytes = 56;
    public const int RandomBytes = 32;
    public const int ProofBytes = 32;
    private const int IncarnationOffset = 8;
    private const int RandomOffset = 24;

    private static ReadOnlySpan<byte> Magic => "ClsBeat1"u8;

    /// <summary>The side that has connected.</summary>
    /// <param name="stream">The connection.</param>
    /// <param name="self">The life of this node.</param>
    /// <param name="peer">The life that must listen there.</param>
    /// <param name="trust">What this node proves, and asks for.</param>
    /// <exception cref="BeaconRefusedException">Another life listens there, or one that knows no secret of this
    /// cluster.</exception>
    public static void Open(Stream stream, Guid self, Guid peer, GluePeerIdentity trust)
    {
        if (LivenessGreeting.Decode(ReadExactly(stream, LivenessGreeting.LengthBytes)) != peer)
            throw new BeaconRefusedException("another life listens there");
        var hello = new byte[HelloBytes];
        Magic.CopyTo(hello);
        self.TryWriteBytes(hello.AsSpan(IncarnationOffset), bigEndian: true, out _);
        RandomNumberGenerator.Fill(hello.AsSpan(RandomOffset));
        stream.Write(hello);
        var transcript = new BeaconTranscript(RealmOf(trust), peer, hello, ReadExactly(stream, RandomBytes));
        stream.Write(transcript.ProveOpener(trust.Secrets[0]));
        if (!transcript.IsOfAccepter(ReadExactly(stream, ProofBytes), trust))
            throw new BeaconRefusedException("the node there has not proven a secret of this cluster");
    }

    /// <summary>The side that listens, after its greeting.</summary>
    /// <param name="stream">The connection.</param>
    /// <param name="self">The life of this node.</param>
    /// <param name="trust">What this node proves, and asks for.</param>
    /// <returns>The life of the other side. Null: it has closed the connection and said nothing, as a probe
    /// does.</returns>
    /// <exception cref="BeaconRefusedException">It has not said hello, or knows no secret of this
    /// cluster.</exception>
    public static Guid? Accept(Stream stream, Guid self, GluePeerIdentity trust)
    {
        var hello = new byte[HelloBytes];
        var count = stream.ReadAtLeast(hello, HelloBytes, throwOnEndOfStream: false);
        if (count == 0)
            return null;
        if (count < HelloBytes || !hello.AsSpan().StartsWith(Magic))
            throw new BeaconRefusedException("it has not said hello");
        var challenge = RandomNumberGenerator.GetBytes(RandomBytes);
        var transcript = new BeaconTranscript(RealmOf(trust), self, hello, challenge);
        stream.Write(challenge);
        if (!transcript.IsOfOpener(ReadExactly(stream, ProofBytes), trust))
            throw new BeaconRefusedException("it has not proven a secret of this cluster");
        stream.Write(transcript.ProveAccepter(trust.Secrets[0]));
        return new Guid(hello.AsSpan(IncarnationOffset, RandomOffset - IncarnationOffset), bigEndian: true);
    }

    private static byte[] ReadExactly(Stream stream, int count)
    {
        var bytes = new byte[count];
        stream.ReadExactly(bytes);
        return bytes;
    }

    private static string RealmOf(GluePeerIdentity trust) =>
        trust.Realm ?? throw new BeaconRefusedException("this node does not know its cluster yet");
}
