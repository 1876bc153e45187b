using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Engine;

/// <summary>A write that waits for its answer. It is answered once, outside the engine's lock.</summary>
internal sealed class PendingWrite()
    : TaskCompletionSource<WriteAnswer>(TaskCreationOptions.RunContinuationsAsynchronously);
