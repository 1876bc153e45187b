using System.Text.Json;
using Cluster.Contracts;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing;
using Cluster.Testing.Consul;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The tokens that are sufficient, and the message of a refusal. No output shows a token.</summary>
public sealed class ConsulTokenTests : IDisposable
{
    private const string ClusterName = "shop";
    private readonly LogRecorder _logs = new();

    private static CancellationToken None => CancellationToken.None;

    public void Dispose() => _logs.Dispose();

    [ConsulFact]
    public async Task Token_MissingOrUnknown_IsDeniedWithTheRemedyAndNotShown()
    {
        await using var server = await ConsulServer.StartAsync(ConsulAccess.TokenRequired);
        var wrong = Guid.NewGuid().ToString();
        await using var without = Open(server.Address, token: null);
        await using var withWrong = Open(server.Address, wrong);

        foreach (var store in new[] { without, withWrong })
        {
            await CheckDeniedAsync(() => store.ReadMetaAsync(None).AsTask());
            await CheckDeniedAsync(() => store.ReadTableAsync(TableConsistency.Consistent, None).AsTask());
            await CheckDeniedAsync(() => store.CreateAsync(StoreTables.NewMeta(ClusterName), None).AsTask());
            await CheckDeniedAsync(() => store.WaitForChangeAsync(1, None).AsTask());
            await CheckDeniedAsync(
                () => store.RegisterAsync(NodeId.NewIncarnation("a"), "http://127.0.0.1:1", None).AsTask());
        }

        async Task CheckDeniedAsync(Func<Task> operation)
        {
            var failure = await Assert.ThrowsAsync<ClusterStoreException>(operation);
            Assert.Equal(ClusterStoreError.Denied, failure.Kind);
            Assert.Contains("Cluster:Consul:Token", failure.Message, StringComparison.Ordinal);
            Assert.DoesNotContain(wrong, failure.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain('\n', failure.Message);
        }
    }

    [ConsulFact]
    public Task Token_WithTheDocumentedRights_DoesEverythingAndIsNotLogged() =>
        CheckSufficientAsync(ReadDocumentedRights());

    [ConsulFact]
    public Task Token_WithTheDocumentedRightsForOneCluster_DoesEverythingAndIsNotLogged()
    {
        var rights = ReadDocumentedRights()
            .Replace("key_prefix \"cluster/\"", $"key_prefix \"cluster/{ClusterName}/\"", StringComparison.Ordinal)
            .Replace("service_prefix \"\"", $"service_prefix \"cluster-{ClusterName}\"", StringComparison.Ordinal);
        Assert.Contains($"cluster-{ClusterName}", rights, StringComparison.Ordinal);
        return CheckSufficientAsync(rights);
    }

    private async Task CheckSufficientAsync(string rules)
    {
        await using var server = await ConsulServer.StartAsync(ConsulAccess.TokenRequired);
        var rights = new { Name = "cluster", Rules = rules };
        var policy = await server.PutAsync("/v1/acl/policy", JsonSerializer.Serialize(rights));
        Assert.Contains("cluster", policy, StringComparison.Ordinal);
        var token = Guid.NewGuid().ToString();
        await server.PutAsync(
            "/v1/acl/token", $$"""{ "SecretID": "{{token}}", "Policies": [ { "Name": "cluster" } ] }""");
        await using var store = Open(server.Address, token);

        await store.CreateAsync(StoreTables.NewMeta(ClusterName), None);
        var node = NodeId.NewIncarnation("a");
        await using (var registration = await store.RegisterAsync(node, "http://127.0.0.1:5001", None))
        {
            await registration.BeatAsync(None);
            await using var lease = await store.TryAcquireCoordinatorAsync(node, None);
            var proposal = StoreTables.WithNewMember(ClusterTable.CreateEmpty(16));
            Assert.Equal(SwapOutcome.Swapped, await store.CompareAndSwapAsync(proposal, lease, None));
            Assert.Equal(2, (await store.WaitForChangeAsync(1, None)).Version);
            Assert.NotNull((await store.ReadStampAsync(TableConsistency.Stale, None)).Digest);
        }

        Assert.DoesNotContain(_logs.Entries, entry => entry.ToString().Contains(token, StringComparison.Ordinal));
    }

    // The page for operators has the rules in a block of its own.
    private static string ReadDocumentedRights()
    {
        const string Begin = "```hcl\n";
        var page = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs", "consul.md"));
        var start = page.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        return page[start..page.IndexOf("```", start, StringComparison.Ordinal)];
    }

    private ConsulClusterStore Open(string address, string? token) => ConsulClusterStore.Create(
        ClusterName, new ConsulOptions { Address = address, Token = token }, TestWaitBudget.Long, TimeProvider.System,
        _logs.Factory);
}
