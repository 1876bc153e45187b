using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Storage;

/// <summary>How far a scan of a partition has come. The storage alone changes it.</summary>
internal sealed class ScanCursor
{
    /// <summary>The next place of a storage that counts its places.</summary>
    public ulong Place { get; set; }

    /// <summary>The last key of a storage that orders its keys; null: the scan has not begun.</summary>
    public StateKey? After { get; set; }
}
