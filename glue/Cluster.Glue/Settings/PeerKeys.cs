using System.Security.Cryptography;
using Cluster.Glue.Authorization;

namespace Cluster.Glue.Settings;

/// <summary>The frozen secrets of a <see cref="GluePeerIdentity"/>, and its realm, which may become known later.
/// Immutable but for the realm.</summary>
internal sealed class PeerKeys
{
    private readonly GluePeerIdentity _identity;
    private readonly byte[][] _secrets;

    private PeerKeys(GluePeerIdentity identity)
    {
        _identity = identity;
        _secrets = identity.Secrets.Select(secret => secret.Key).ToArray();
    }

    /// <summary>Null while the realm is not known.</summary>
    public string? Realm => _identity.Realm;

    /// <summary>The secret by which this side proves itself.</summary>
    public byte[] First => _secrets[0];

    public static PeerKeys? Of(GluePeerIdentity? identity) => identity is null ? null : new PeerKeys(identity);

    /// <summary>The secret by which a peer has proven itself; null: none of this side's secrets.</summary>
    public byte[]? FindProver(PeerTranscript transcript, ReadOnlySpan<byte> proof)
    {
        byte[]? found = null;
        // All secrets are tried, so that the time does not reveal which one it was.
        foreach (var secret in _secrets)
        {
            if (CryptographicOperations.FixedTimeEquals(transcript.ProveOpener(secret), proof))
                found = secret;
        }

        return found;
    }

    /// <summary>Never shows the secrets.</summary>
    public override string ToString() => "(secrets)";
}
