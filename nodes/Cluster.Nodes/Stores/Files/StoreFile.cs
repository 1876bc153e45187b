namespace Cluster.Nodes.Stores.Files;

/// <summary>One file of the file store in memory: an envelope that tells whose it is, around a payload.
/// Immutable.</summary>
/// <param name="Kind">What the payload is.</param>
/// <param name="ClusterId">The cluster it belongs to.</param>
/// <param name="Stamp">The table's version, so that a waiter need not read the payload; zero in other files.</param>
/// <param name="Payload">The contents.</param>
internal sealed record StoreFile(StoreFileKind Kind, Guid ClusterId, long Stamp, ReadOnlyMemory<byte> Payload);
