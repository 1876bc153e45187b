using Cluster.Nodes.Consul.Client;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>Waits of stores that are longer than any delay of a busy machine or a slow disk, for tests that are not
/// about time-outs.</summary>
internal static class TestWaitBudget
{
    public static ConsulWaitBudget Long { get; } = new()
    {
        Beat = TimeSpan.FromMinutes(1),
        Call = TimeSpan.FromMinutes(1),
        Connect = TimeSpan.FromMinutes(1),
        CheckTimeToLive = TimeSpan.FromMinutes(5),
    };
}
