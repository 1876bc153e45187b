using Cluster.Glue.Wire;

namespace Cluster.Glue.Sessions;

/// <summary>One message of a handshake. Members that do not belong to its kind are null or zero. Immutable.</summary>
internal readonly record struct HandshakeMessage
{
    public Hello? Hello { get; init; }

    public JoinRequest? Join { get; init; }

    /// <summary>In a Joined message: how many batches the sender has received.</summary>
    public ulong ReceivedCount { get; init; }

    /// <summary>Shows that the sender knows the secret. Null: the message has no proof.</summary>
    public byte[]? Proof { get; init; }

    /// <summary>The bytes of a Hello or Welcome. The proofs cover them.</summary>
    public byte[]? Body { get; init; }
}
