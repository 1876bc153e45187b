namespace Cluster.StateStore.Messages;

/// <summary>Tells a node the layouts of the values that the caller writes, or asks for one. Filled once by the caller,
/// then only read.</summary>
public sealed class LayoutRequest
{
    /// <summary>The message layout.</summary>
    public int FormatVersion { get; init; } = StateRequest.CurrentFormatVersion;

    /// <summary>The identity of the caller's cluster.</summary>
    public Guid ClusterId { get; init; }

    /// <summary>Which state: the hash of its name.</summary>
    public uint StateId { get; init; }

    /// <summary>The descriptions of the layouts, as <c>docs/formats/slim.md</c> describes them.</summary>
    public byte[][] Told { get; init; } = [];

    /// <summary>The fingerprint of the layout that is asked for; zero: none.</summary>
    public ulong Asked { get; init; }
}
