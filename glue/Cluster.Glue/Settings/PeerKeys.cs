using System.Security.Cryptography;
using Cluster.Glue.Authorization;

namespace Cluster.Glue.Settings;

/// <summary>The frozen secrets of a <see cref="GluePeerIdentity"/>, and its realm as it is known now. Immutable but for
/// that.</summary>
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

    /// <summary>What this side proves itself by.</summary>
    public byte[] First => _secrets[0];

    public static PeerKeys? Of(GluePeerIdentity? identity) => identity is null ? null : new PeerKeys(identity);

    /// <summary>The secret by which a peer has proven itself; null: none that is known here.</summary>
    public byte[]? FindProver(PeerTranscript transcript, ReadOnlySpan<byte> proof)
    {
        byte[]? found = null;
        // All of them are tried, so that the time does not tell which one it was.
        foreach (var secret in _secrets)
        {
            if (CryptographicOperations.FixedTimeEquals(transcript.ProveOpener(secret), proof))
                found = secret;
        }

        return found;
    }

    /// <summary>Never the secrets.</summary>
    public override string ToString() => "(secrets)";
}
