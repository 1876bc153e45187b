namespace Cluster.StateStore.Protocol.Wire;

/// <summary>Between whom a frame travels. Names are not part of it: the table tells them. Immutable.</summary>
/// <param name="Cluster">The identity of the cluster.</param>
/// <param name="Sender">The incarnation of the sender.</param>
/// <param name="Receiver">The incarnation of the receiver.</param>
internal readonly record struct FrameHeader(Guid Cluster, Guid Sender, Guid Receiver);
