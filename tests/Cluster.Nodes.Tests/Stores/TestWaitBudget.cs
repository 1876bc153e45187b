using Cluster.Nodes.Stores.Files;

namespace Cluster.Nodes.Tests.Stores;

/// <summary>Waits for locks that no busy machine and no slow disk outlasts, for tests that are not about giving
/// up.</summary>
internal static class TestWaitBudget
{
    public static FileStoreWaitBudget Long { get; } =
        new() { TableLock = TimeSpan.FromMinutes(1), NodeLock = TimeSpan.FromMinutes(1) };
}
