namespace Cluster.StateStore.Messages;

/// <summary>One state as the sender of a partition knows it; the receiver takes records only when its own
/// agrees.</summary>
public sealed class HandoffState
{
    /// <summary>The state's id.</summary>
    public uint Id { get; init; }

    /// <summary>The state's name.</summary>
    public string Name { get; init; } = "";

    /// <summary>The fingerprint of the layouts that its values are made of.</summary>
    public ulong LayoutFingerprint { get; init; }
}
