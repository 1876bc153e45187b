namespace Cluster.StateStore.Protocol.Storage;

/// <summary>How far a scan of a partition has come. The storage alone reads and changes it.</summary>
internal sealed class ScanCursor
{
    /// <summary>The place, in the form of the storage; null: the scan has not begun.</summary>
    public object? Place { get; set; }
}
