using Cluster.Nodes.Stores.Files;

namespace Cluster.Nodes.Tests.Stores;

/// <summary>Waits for locks that are longer than any delay of a busy machine or a slow disk, for tests that are not
/// about time-outs.</summary>
internal static class TestWaitBudget
{
    public static FileStoreWaitBudget Long { get; } =
        new() { TableLock = TimeSpan.FromMinutes(1), NodeLock = TimeSpan.FromMinutes(1) };
}
