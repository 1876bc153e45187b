using Cluster.Benchmarks.Glue;
using Cluster.Nodes;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Cluster.Benchmarks.Rivals;

/// <summary>A client of a cluster in this process, and its nodes in three others. Disposal ends them.</summary>
internal sealed class ClusterSide : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("cluster-rivals-").FullName;
    private readonly ChildPeer[] _nodes;
    private readonly IHost _client;

    public ClusterSide()
    {
        // All at once: partitions are given to the nodes when all of them have joined.
        var starts = Enumerable.Range(1, StateNode.NodeCount)
            .Select(number => Task.Run(() => ChildPeer.Start(StateNode.Argument, _folder, $"node-{number}")));
        _nodes = Task.WhenAll(starts).GetAwaiter().GetResult();
        _client = StateNode.Build(_folder, "client", ClusterRole.Client);
        _client.Start();
        Values = _client.Services.GetRequiredKeyedService<IPartitionedState<string, byte[]>>(StateNode.Values);
        Sessions = _client.Services.GetRequiredKeyedService<IPartitionedState<string, byte[]>>(StateNode.Sessions);
    }

    public IPartitionedState<string, byte[]> Values { get; }

    public IPartitionedState<string, byte[]> Sessions { get; }

    public async Task FillAsync()
    {
        await KeyedLoad.FillAsync(key => Values.PutAsync(key, KeyedLoad.Value));
        await KeyedLoad.FillAsync(key => Sessions.PutAsync(key, KeyedLoad.Value));
    }

    public void Dispose()
    {
        _client.StopAsync().GetAwaiter().GetResult();
        _client.Dispose();
        foreach (var node in _nodes)
            node.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
