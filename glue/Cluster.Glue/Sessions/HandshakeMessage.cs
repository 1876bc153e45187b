using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>One message of a handshake; what it is not is null or zero. Immutable.</summary>
internal readonly record struct HandshakeMessage
{
    public Hello? Hello { get; init; }

    public JoinRequest? Join { get; init; }

    /// <summary>Of the answer to a Join.</summary>
    public ulong ReceivedCount { get; init; }

    /// <summary>By which the sender shows that it knows the secret; null: none.</summary>
    public byte[]? Proof { get; init; }

    /// <summary>The bytes of a Hello or Welcome, which proofs cover.</summary>
    public byte[]? Body { get; init; }
}
