using Cluster.Nodes;
using Cluster.StateStore;
using Cluster.SystemTests.Host;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>The faults of <see cref="NodeFaultTests"/> with a real Consul, and the loss of Consul itself.</summary>
public sealed class ConsulFaultTests(ITestOutputHelper output) : NodeFaultTests(output)
{
    // FileStoreFaultTests kill a node by default.
    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "glue-55")]
    public Task KillOfANode_IsOwnedAgainEmptyWithinTenSecondsAndAnnounced() => CheckKillAsync(isCoordinator: false);

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task KillOfTheCoordinator_IsOwnedAgainEmptyWithinTenSecondsAndAnnounced() => CheckKillAsync(isCoordinator: true);

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task PauseOfTwentySeconds_TakesNothingAwayAndServesAgainAfterwards() => CheckPauseAsync();

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task RestartAfterKill_WithTheSameName_JoinsAsANewLife() => CheckRestartAsync();

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "glue-83")]
    public Task OrderlyStop_LosesNothingAndLeavesNoServiceBehind() => CheckOrderlyStopAsync(CheckServicesAsync);

    // The short forms of the fault scenarios have outages of Consul, too.
    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    [Trait("Case", "glue-84")]
    public async Task ConsulGone_StopsNothing()
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2");
        await nodes.FillAsync(nodes.KeysOf("n2", 20));
        await nodes.Consul!.StopAsync();
        for (var round = 1; round <= 100; round++)
        {
            await nodes.Notes.PutAsync($"round-{round}", new Note { Text = "without Consul" });
            Assert.Equal(1, await nodes.Notes.UpdateAsync($"round-{round}", new Revise("still here")));
        }

        await nodes.Consul.StartAgainAsync();
        await nodes.Start("n3").WaitForLineAsync(line => line == "started", NodeProcesses.StartBound);
        await nodes.WaitUntilSharedAsync(3, NodeProcesses.StartBound);
        Assert.Equal("still here", (await nodes.Notes.GetAsync("round-100"))!.Text);
    }

    [RequiresConsulFact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public async Task KillWithoutProofOfDeath_LeavesPartitionsUnavailableAndSaysSo()
    {
        await using var nodes = await OpenAsync();
        nodes.CommonSettings = [$"--Cluster:ProofOfDeath={ProofOfDeath.StoreOnly}"];
        await nodes.StartClusterAsync("n1", "n2");
        var victim = await nodes.FindCoordinatorAsync() == "n1" ? "n2" : "n1";
        var (lost, kept) = (nodes.KeysOf(victim, 1)[0], nodes.KeysOf(victim == "n1" ? "n2" : "n1", 1)[0]);
        await nodes.FillAsync([lost, kept]);
        var before = nodes.Table;
        nodes[victim].KillAlone();

        // The state client looks for a new owner as long as the coordinator may take to replace a node that is proven
        // dead.
        var unavailable = await Assert.ThrowsAsync<StateUnavailableException>(async () => await nodes.Notes.GetAsync(lost));
        Assert.Equal(victim, unavailable.Owner!.Value.Name);
        Assert.Contains(victim, unavailable.Message, StringComparison.Ordinal);
        Assert.Equal(kept, (await nodes.Notes.GetAsync(kept))!.Text);
        Assert.Equal(before.Partitions, nodes.Table.Partitions);
    }

    private static async Task CheckServicesAsync(NodeProcesses nodes)
    {
        var services = await nodes.Consul!.GetAsync("/v1/agent/services");
        var names = services.EnumerateObject()
            .Select(service => service.Value.GetProperty("Meta").GetProperty("node").GetString());
        Assert.Equal(["n1", "n2"], names.Order());
    }

    private protected override Task<NodeProcesses> OpenAsync() => NodeProcesses.OnConsulAsync(Output);
}
