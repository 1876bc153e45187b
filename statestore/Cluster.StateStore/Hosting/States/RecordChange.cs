using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting.States;

/// <summary>A change of one value by user code, at the owner. Made for one run; the key is held meanwhile, no lock
/// is.</summary>
internal abstract class RecordChange(ChangeTarget target)
{
    /// <summary>The key.</summary>
    public StateKey Key => target.Key;

    /// <summary>The state's place in the catalog.</summary>
    public int Ordinal => target.Ordinal;

    /// <summary>When a value goes away that was not there before; never the default form.</summary>
    public StateExpiry Expiry => target.Expiry;

    /// <summary>Runs the user's code. What it throws leaves the value as it is. The result is the record to store,
    /// complete but for version and expiry, or null to remove the value; the caller disposes it.</summary>
    /// <param name="present">The present record, or null.</param>
    /// <param name="context">What the operation is told.</param>
    public abstract RecordBuffer? Run(RecordBuffer? present, in OperationContext context);
}
