namespace Cluster.StateStore;

/// <summary>The storage behind a state has failed, or was too slow. Where a value should have been read, nothing has
/// changed. Where a value was written, the cluster has it and the storage does not yet: other nodes see it, and it is
/// stored as soon as the storage answers. The message says which. The inner exception is that of the storage, where the
/// storage was asked by this process.</summary>
/// <param name="message">What has happened, and what becomes of the value.</param>
/// <param name="inner">The failure of the storage; null: another node has seen it.</param>
public sealed class StateStorageException(string message, Exception? inner = null) : StateException(message, inner);
