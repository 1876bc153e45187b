namespace Cluster.StateStore.Hosting.States;

/// <summary>A change of one value by user code, at the owner. No lock is held while it runs. It runs again when another
/// write of the key came first.</summary>
internal abstract class RecordChange(ChangeTarget target)
{
    public HashedKey Key => target.Key;

    /// <summary>When the value expires if the change creates it; never the default form.</summary>
    public StateExpiry Expiry => target.Expiry;

    /// <summary>Runs the user's code. An exception leaves the value as it is. The result is the value to
    /// store, or null to remove the value; the caller disposes it.</summary>
    /// <param name="present">The present value, or null.</param>
    /// <param name="context">Time and random numbers for the operation.</param>
    public abstract ValueBuffer? Run(ReadOnlyMemory<byte>? present, in OperationContext context);
}
