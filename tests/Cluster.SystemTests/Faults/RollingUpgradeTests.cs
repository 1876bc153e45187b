using Cluster.SystemTests.Host;
using Cluster.SystemTests.Nodes;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>Nodes of another version take the place of the others, one by one, while clients work. No operation fails,
/// and nothing that was acknowledged is lost.</summary>
[Collection(FaultSequence.Name)]
[Trait("Category", "Soak")]
public sealed class RollingUpgradeTests(ITestOutputHelper output)
{
    private const int RefusedAtTheJoin = 76;
    private static readonly TimeSpan RefusalBound = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan RaiseBound = TimeSpan.FromMinutes(1);

    private static readonly string Present = typeof(Counter).Assembly.Location;

    // The same program with the types of the next version.
    private static readonly string Next = Path.Combine(
        AppContext.BaseDirectory.Replace("Cluster.SystemTests", "Cluster.SystemTests.Host.Next", StringComparison.Ordinal),
        Path.GetFileName(Present));

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-F22")]
    public Task TypesThatChange_LoseNothing_Short() => CheckTypesAsync([Next]);

    [RequiresConsulFact]
    [Trait("Case", "cluster-F22")]
    public Task TypesThatChange_ForthAndBackAndForth_LoseNothing() => CheckTypesAsync([Next, Present, Next]);

    [RequiresConsulFact]
    [Trait("Run", "Faults")]
    [Trait("Case", "cluster-protocol")]
    public async Task PreviousProtocol_IsReplacedAndComesBackUntilTheProtocolIsRaised_Short()
    {
        const string Previous = "--protocol=1";
        await using var run = await FaultRun.BeginAsync(new FaultSettings { NodeSettings = [Previous] }, output);
        Assert.All(run.Cluster.RunningNames, name => Assert.Equal(1, run.Cluster.ProtocolOf(name)));
        run.FaultBegins([]);
        var nodes = run.Cluster.Nodes;
        await ReplaceAsync(run, nodes[0], "--protocol=2");
        await ReplaceAsync(run, nodes[1], "--protocol=2");

        Assert.Equal(2, run.Cluster.ProtocolOf(nodes[1].Name));

        // While one node speaks the previous protocol, a node may come back with it.
        await ReplaceAsync(run, nodes[0], Previous);
        Assert.Equal(1, run.Cluster.MinProtocol);
        foreach (var node in nodes)
            await ReplaceAsync(run, node, "--protocol=2", "--raise-after=00:00:05");
        await Eventually.TrueAsync(() => run.Cluster.MinProtocol == 2, RaiseBound);
        run.Write("the protocol is raised");
        nodes[0].Process!.Send(ProcessSignal.Terminate);
        Assert.Equal(0, await nodes[0].Process!.WaitForExitAsync(FaultCluster.StartBound));
        run.Cluster.RefuseConnectionsTo(nodes[0].Name);
        run.Cluster.Start(nodes[0].Name, Previous);
        Assert.Equal(RefusedAtTheJoin, await nodes[0].Process!.WaitForExitAsync(RefusalBound));
        Assert.Contains("at least version 2", nodes[0].Process!.Output, StringComparison.Ordinal);
        Assert.Contains("speaks version 1", nodes[0].Process!.Output, StringComparison.Ordinal);
        run.Write("the previous protocol is refused");
        await run.RestartAsync(nodes[0].Name, "--protocol=2");
        await run.EndAsync(new FaultExpectations { ExitCodes = [0, RefusedAtTheJoin] });
        run.CheckNothingFailed();
    }

    private async Task CheckTypesAsync(string[] programs)
    {
        await using var run = await FaultRun.BeginAsync(new FaultSettings(), output);
        var layouts = run.Cluster.KnownLayouts;
        run.FaultBegins([]);
        foreach (var program in programs)
        {
            foreach (var node in run.Cluster.Nodes)
            {
                node.Program = program;
                await ReplaceAsync(run, node);
            }

            run.Write($"all nodes run {program}");
        }

        await run.EndAsync();
        run.CheckNothingFailed();

        // This process has the present types. It has met the values of the next ones.
        run.Write($"{layouts} layouts known before, {run.Cluster.KnownLayouts} after");
        Assert.True(run.Cluster.KnownLayouts > layouts);
    }

    private static async Task ReplaceAsync(FaultRun run, FaultNode node, params string[] settings)
    {
        node.Process!.Send(ProcessSignal.Terminate);
        Assert.Equal(0, await node.Process.WaitForExitAsync(FaultCluster.StartBound));
        run.Cluster.RefuseConnectionsTo(node.Name);
        await run.RestartAsync(node.Name, settings);
    }
}
