namespace Cluster.Testing.Simulation.Clients;

/// <summary>How a node answers a request.</summary>
public enum ClientReplyStatus
{
    /// <summary>The operation took effect, or its condition was judged.</summary>
    Done,

    /// <summary>This node is not the owner; the operation did not run.</summary>
    Moved,

    /// <summary>The node cannot serve now; the operation did not run in this attempt.</summary>
    Busy,

    /// <summary>The node cannot tell whether the operation ran in an earlier attempt, and will not run it.</summary>
    Unknown,
}

/// <summary>The answer to one attempt. Immutable.</summary>
/// <param name="Client">The incarnation of the client.</param>
/// <param name="Sequence">The number of the operation.</param>
/// <param name="Status">How the node answers.</param>
public sealed record ClientReply(Guid Client, long Sequence, ClientReplyStatus Status)
{
    /// <summary>The attempt that it answers.</summary>
    public int Attempt { get; init; }

    /// <summary>Whether there was an entry, or whether a conditional put was done.</summary>
    public bool Flag { get; init; }

    /// <summary>The number that was read or computed.</summary>
    public long Value { get; init; }

    /// <summary>The list that was read or computed.</summary>
    public ImmutableArray<long> Items { get; init; } = [];

    /// <summary>The version of the entry that was read or written; zero without an entry.</summary>
    public long Version { get; init; }

    /// <summary>With <see cref="ClientReplyStatus.Moved"/>: the end point of the owner, or -1 if the node knows
    /// none.</summary>
    public int Owner { get; init; } = -1;

    /// <summary>The epoch of the partition that the node knows.</summary>
    public long Epoch { get; init; }

    /// <summary>An answer to a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="status">How the node answers.</param>
    public static ClientReply To(ClientRequest request, ClientReplyStatus status)
    {
        ArgumentNullException.ThrowIfNull(request);
        return new ClientReply(request.Client, request.Sequence, status) { Attempt = request.Attempt };
    }

    /// <inheritdoc />
    public override string ToString() =>
        $"{Status} #{Sequence} {Flag} {Value} [{string.Join(',', Items)}] v{Version} ->{Owner}";
}
