namespace Cluster.StateStore.Messages;

/// <summary>Names a transfer whose staged records are to be thrown away.</summary>
public sealed class HandoffAbort
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>The identity of the sender's cluster. The store of another cluster refuses the message.</summary>
    public Guid ClusterId { get; init; }

    /// <summary>The incarnation of the node that started the transfer. Nobody else may call it off.</summary>
    public Guid Source { get; init; }

    /// <summary>The transfer.</summary>
    public Guid TransferId { get; init; }

    /// <summary>The partition.</summary>
    public int Partition { get; init; }
}
