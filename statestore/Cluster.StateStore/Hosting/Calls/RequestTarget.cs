using Cluster.StateStore.Hosting.States;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.Calls;

/// <summary>Where a request goes, as the caller's table says. Immutable.</summary>
/// <param name="ClusterId">The identity of the caller's cluster.</param>
/// <param name="Partition">The partition of the key.</param>
/// <param name="Epoch">The partition's epoch.</param>
/// <param name="TableVersion">The version of the caller's table.</param>
internal readonly record struct RequestTarget(Guid ClusterId, PartitionId Partition, Epoch Epoch, long TableVersion)
{
    /// <summary>The identity of the write; the default value for a read.</summary>
    public RequestId Request { get; init; }

    /// <summary>Writes into a request where it goes.</summary>
    /// <returns>The request.</returns>
    public StateRequest Address(StateRequest request, in HashedKey key)
    {
        request.ClusterId = ClusterId;
        request.Partition = Partition.Value;
        request.Epoch = Epoch.Value;
        request.TableVersion = TableVersion;
        request.Key = key.Bytes;
        return request;
    }
}
