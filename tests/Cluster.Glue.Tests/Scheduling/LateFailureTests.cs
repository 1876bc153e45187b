using Cluster.Glue.Tests.Semantics;
using Cluster.Glue.Tests.Sessions;
using Cluster.Glue.Tests.Substreams;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Scheduling;

/// <summary>What fails when nobody waits for it any more is no unobserved failure of the user's process.</summary>
[WithCanaryArrays]
[Collection(nameof(RunsAlone))]
public sealed class LateFailureTests : DisturbedLinkTests
{
    [Fact]
    public async Task Connecting_ThatNobodyWaitsForAnyMore_FailsSilently()
    {
        using var failures = new UnobservedFailures();
        Faults.Hold(HelloStream);
        using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(50)))
            await Assert.ThrowsAsync<GlueException>(() => Proxy<IShapes>().TwiceAsync(1));
        await Client.DisposeAsync();
        await CheckAsync(failures);
    }

    [Fact]
    public async Task HandshakeThatDoesNotCome_IsGivenUpSilently()
    {
        using var failures = new UnobservedFailures();
        await using var host = await GlueHost.StartAsync(
            options => options.HandshakeTimeout = TimeSpan.FromMilliseconds(50));
        using (var silent = new SilentStream(host.Address))
        {
            using var response = await silent.OpenAsync().WaitAsync(Bound);
            await response.Content.CopyToAsync(Stream.Null).WaitAsync(Bound);
        }

        await CheckAsync(failures);
    }

    private static async Task CheckAsync(UnobservedFailures failures) => Assert.DoesNotContain(
        await failures.CollectAsync(Bound), text => text.Contains("Cluster.Glue", StringComparison.Ordinal));
}
