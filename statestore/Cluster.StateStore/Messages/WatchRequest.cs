namespace Cluster.StateStore.Messages;

/// <summary>The question of a process what has changed in a state at a node. It is repeated without end: each answer
/// brings the changes since the one before. Filled once by the client, then only read.</summary>
public sealed class WatchRequest
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>The identity of the caller's cluster.</summary>
    public Guid ClusterId { get; init; }

    /// <summary>The identity of the watch at this node, chosen by the caller when it begins.</summary>
    public Guid Watch { get; init; }

    /// <summary>The number of the last reply that has arrived; zero begins the watch.</summary>
    public long Number { get; init; }

    /// <summary>Which state: the hash of its name.</summary>
    public uint StateId { get; init; }

    /// <summary>Whether the changes bring the values along.</summary>
    public bool WithValues { get; init; }
}
