using Cluster.Nodes.Consul.Client;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>How long stores of tests wait that are not about giving up: longer than any busy machine or slow disk
/// takes.</summary>
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
