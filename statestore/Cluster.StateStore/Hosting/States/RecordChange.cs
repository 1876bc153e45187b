using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Hosting.States;

/// <summary>A change of one value by user code, at the owner, for a caller on this node or another. No lock is held
/// while it runs. It runs again when another write of the key came first. The result is serialized before anything is
/// committed, so that an operation whose result cannot travel changes nothing.</summary>
internal abstract class RecordChange(ChangeTarget target)
{
    public HashedKey Key => target.Key;

    public PartitionId Partition => target.Partition;

    public int MinInSync => target.MinInSync;

    public RequestId? Request => target.Request;

    /// <summary>When the value expires if the change creates it; never the default form.</summary>
    public StateExpiry Expiry => target.Expiry;

    /// <summary>The serialized result; empty until the change has run. An earlier attempt may have had another one,
    /// which takes its place.</summary>
    public byte[] Result { get; set; } = [];

    /// <summary>The exception of the user's code, or null.</summary>
    public StateFailure? Failure { get; protected set; }

    /// <summary>Runs the user's code. An exception leaves the value as it is. The result is the value to
    /// store, or null to remove the value; the caller disposes it.</summary>
    /// <param name="present">The present value, or null.</param>
    /// <param name="context">Time and random numbers for the operation.</param>
    public abstract ValueBuffer? Run(ReadOnlyMemory<byte>? present, in OperationContext context);
}
