using Xunit.Abstractions;

namespace Cluster.Nodes.Tests.Clusters;

/// <summary>A node that is declared dead while it starts.</summary>
[Trait("Case", "repair-D")]
public sealed class ExpelledStartTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Node_DeclaredDeadBeforeItIsActive_DoesNotStart_AndSaysSo()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        fixture.Logs.Allow(static _ => true);

        // Every later swap of the node waits for the declaration, too.
        Lazy<Task>? declared = null;
        fixture.BeforeSwap = successor => LazyInitializer.EnsureInitialized(
            ref declared, () => new Lazy<Task>(() => fixture.DeclareDeadAsync(successor))).Value;

        var failure = await Assert.ThrowsAsync<ClusterStartException>(() => fixture.StartAsync("n1"));

        Assert.Equal(ClusterExitCode.Expelled, failure.ExitCode);
        Assert.Contains("was expelled while it started", failure.Message, StringComparison.Ordinal);
        Assert.EndsWith(failure.Remedy, failure.Message, StringComparison.Ordinal);
    }
}
