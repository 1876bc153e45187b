namespace Cluster.Testing.Simulation.Clients;

/// <summary>One attempt of a client's operation, as it travels to a node. Immutable; a repeated attempt has the same
/// client and sequence.</summary>
/// <param name="Client">The incarnation of the client.</param>
/// <param name="Sequence">The number of the operation, counted by the client from one.</param>
/// <param name="LowWaterMark">The client will repeat no operation below this number.</param>
/// <param name="Action">What the client asks for.</param>
/// <param name="Key">The key.</param>
public sealed record ClientRequest(
    Guid Client, long Sequence, long LowWaterMark, ClientAction Action, ClientKey Key)
{
    /// <summary>The value to set, the number to add, or the number to append.</summary>
    public long Argument { get; init; }

    /// <summary>The version that <see cref="ClientAction.PutIfVersion"/> expects; zero expects no entry.</summary>
    public long ExpectedVersion { get; init; }

    /// <summary>The time to live of the written entry; null: without end.</summary>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>How new the answer to a read must be.</summary>
    public ReadMode Reads { get; init; }

    /// <summary>The epoch of the partition that the client knows; zero if it knows none.</summary>
    public long KnownEpoch { get; init; }

    /// <summary>The number of the attempt, counted from one.</summary>
    public int Attempt { get; init; }

    /// <inheritdoc />
    public override string ToString() => $"{Action} {Key.Name} {Argument} #{Sequence}.{Attempt}";
}
