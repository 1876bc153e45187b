using Cluster.Contracts;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>What Consul shows of a node that is registered.</summary>
[Collection(SharedConsul.Name)]
[Trait("Case", "glue-83")]
public sealed class ConsulRegistrationTests(ConsulServerFixture fixture) : IDisposable
{
    private static readonly TimeSpan TimeToLive = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new();
    private readonly string _cluster = $"c-{Guid.NewGuid():N}"[..14];

    private static CancellationToken None => CancellationToken.None;

    public void Dispose() => _logs.Dispose();

    [ConsulFact]
    public async Task Check_NotRenewedInItsTime_IsCriticalUntilTheNextBeat()
    {
        await using var store = ConsulClusterStore.Create(
            _cluster, new ConsulOptions { Address = fixture.Server.Address },
            TestWaitBudget.Long with { CheckTimeToLive = TimeToLive }, TimeProvider.System, _logs.Factory);
        await store.CreateAsync(StoreTables.NewMeta(_cluster), None);
        await using (var registration = await store.RegisterAsync(
            NodeId.NewIncarnation("a"), "http://127.0.0.1:5001", None))
        {
            await Eventually.TrueAsync(async () => await StatusAsync() == "critical", Bound);

            // On a busy machine, a beat may be over when its effect is read.
            await Eventually.TrueAsync(
                async () =>
                {
                    await registration.BeatAsync(None);
                    return await StatusAsync() == "passing";
                },
                Bound);
        }

        Assert.Null(await StatusAsync());
    }

    private async Task<string?> StatusAsync()
    {
        var checks = await fixture.Server.GetAsync($"/v1/health/checks/cluster-{_cluster}");
        return checks.EnumerateArray().SingleOrDefault() is { ValueKind: System.Text.Json.JsonValueKind.Object } check
            ? check.GetProperty("Status").GetString()
            : null;
    }
}
