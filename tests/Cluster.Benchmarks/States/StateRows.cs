using Cluster.Benchmarks.Harness;
using Cluster.Nodes;
using Cluster.Nodes.Stores.Memory;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Benchmarks.States;

/// <summary>A state as its user sees it: a node and a client in one process, over a real connection.</summary>
internal static class StateRows
{
    private const int KeyCount = 50_000;
    private const int Callers = 16;

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(3);

    public static readonly string[] Names =
        ["state.get", "state.put", "state.update", "state.get.16", "state.put.16", "state.update.16"];

    public static void Run(BenchmarkRun run) => RunAsync(run).GetAwaiter().GetResult();

    private static async Task RunAsync(BenchmarkRun run)
    {
        var hub = new InMemoryClusterHub();
        using var node = Build(hub, ClusterRole.Node);
        await node.StartAsync();
        using var client = Build(hub, ClusterRole.Client);
        await client.StartAsync();
        var (own, remote) = (StateOf(node), StateOf(client));
        var value = new byte[(int)run.Size("state.put")];
        for (var key = 0; key < KeyCount; key++)
            await own.PutAsync(key, value);
        Contender[] sides =
        [
            One("get", key => own.GetAsync(key).AsTask()),
            One("put", key => own.PutAsync(key, value).AsTask()),
            One("update", key => own.UpdateAsync(key, new Increment()).AsTask()),
            Many("get.16", key => remote.GetAsync(key).AsTask()),
            Many("put.16", key => remote.PutAsync(key, value).AsTask()),
            Many("update.16", key => remote.UpdateAsync(key, new Increment()).AsTask()),
        ];
        Race.Run(WarmUp, sides);
        var race = Race.Run(run.Share(parts: 3), sides);
        foreach (var name in new[] { "get", "put", "update" })
            run.Report($"state.{name}", race.Nanoseconds(name) / 1e3);
        foreach (var name in new[] { "get.16", "put.16", "update.16" })
            run.Report($"state.{name}", race.Rate(name) / 1e3);
        await client.StopAsync();
        await node.StopAsync();
    }

    private static IPartitionedState<long, byte[]> StateOf(IHost host) =>
        host.Services.GetRequiredService<IPartitionedState<long, byte[]>>();

    private static Contender One(string name, Func<long, Task> call) => Contender.Async(name, async count =>
    {
        for (var number = 0L; number < count; number++)
            await call(KeyAt(number));
    });

    private static Contender Many(string name, Func<long, Task> call) => Contender.Async(name, count =>
        Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            for (long number = caller; number < count; number += Callers)
                await call(KeyAt(number));
        }))));

    // The step has no common factor with the number of keys, so the walk meets all of them.
    private static long KeyAt(long number) => number * 7_919 % KeyCount;

    private static IHost Build(InMemoryClusterHub hub, ClusterRole role)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.AddCluster(options =>
            {
                options.Name = "benchmark";
                options.Role = role;
                options.Secret = new("the secret of the benchmark, long enough");
                options.PileBudgetBytes = 512 << 20;
                options.Backups = 0;
            })
            .UseStore(_ => new InMemoryClusterStore(hub, "benchmark", TimeProvider.System), StoreBootstrap.ByItself)
            .AddState<long, byte[]>("values", state => state.AllowOperation<Increment>());
        return builder.Build();
    }
}
