namespace Cluster.StateStore.Messages;

/// <summary>Names a transfer whose staged records are to be thrown away.</summary>
public sealed class HandoffAbort
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>The transfer.</summary>
    public Guid TransferId { get; init; }

    /// <summary>The partition.</summary>
    public int Partition { get; init; }
}
