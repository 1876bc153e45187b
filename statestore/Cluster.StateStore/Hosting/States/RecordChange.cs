using Cluster.StateStore.Records;

namespace Cluster.StateStore.Hosting.States;

/// <summary>A change of one value by user code, at the owner. Made for one run. The key is held while it runs; no lock
/// is.</summary>
internal abstract class RecordChange(ChangeTarget target)
{
    public StateKey Key => target.Key;

    /// <summary>The state's place in the catalog.</summary>
    public int Ordinal => target.Ordinal;

    /// <summary>When the value expires if the change creates it; never the default form.</summary>
    public StateExpiry Expiry => target.Expiry;

    /// <summary>Runs the user's code. An exception leaves the value as it is. The result is the record to store,
    /// complete but for version and expiry, or null to remove the value; the caller disposes the record.</summary>
    /// <param name="present">The present record, or null.</param>
    /// <param name="context">Time and random numbers for the operation.</param>
    public abstract RecordBuffer? Run(RecordBuffer? present, in OperationContext context);
}
