using System.ComponentModel;
using System.Security.Cryptography;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Authorization;

/// <summary>A text that processes of one group share to prove to each other that they belong together. It never shows
/// its text: not in a log, not in an exception, not in a debugger. Immutable.</summary>
[TypeConverter(typeof(GlueSecretConverter))]
[DebuggerDisplay("(secret)")]
public sealed class GlueSecret
{
    internal const int BytesMin = 16;

    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    private readonly byte[] _key;

    /// <summary>Takes the text of a secret.</summary>
    /// <param name="text">At least 16 bytes of UTF-8, best 32 random bytes in base 64. Client and server check the
    /// length when they start, and name the option then.</param>
    public GlueSecret(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        _key = Encoding.UTF8.GetBytes(text);
    }

    /// <summary>Whether the text is long enough for client and server to take it.</summary>
    public bool IsLongEnough => _key.Length >= BytesMin;

    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    internal byte[] Key => _key;

    /// <summary>Proves that this process knows the secret, for a handshake on a connection that is not one of Glue. The
    /// proof shows nothing of the secret.</summary>
    /// <param name="transcript">The label of the protocol and of the side that proves, and then what both sides have
    /// said so far, with random bytes of both. So the proof fits no other handshake.</param>
    /// <returns>32 bytes: HMAC-SHA256 of the transcript, with the text as the key.</returns>
    public byte[] Prove(ReadOnlySpan<byte> transcript) => HMACSHA256.HashData(_key, transcript);

    /// <summary>Never the text itself.</summary>
    public override string ToString() => "(secret)";
}
