namespace Cluster.StateStore.Engine;

/// <summary>The outcome of a read. The reader disposes it once.</summary>
/// <param name="Result">How it ended.</param>
/// <param name="Record">What was found.</param>
internal readonly record struct OwnerRead(StateResult Result, RentedRecord Record) : IDisposable
{
    public void Dispose() => Record.Dispose();
}
