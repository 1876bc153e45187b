using System.Text.Json;
using Cluster.Contracts;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Consul.Storage;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Cluster.Testing.Stores;

namespace Cluster.Nodes.Consul.Tests;

/// <summary>The distribution of a table over keys. The largest allowed table fits into one transaction.</summary>
public sealed class TableKeysTests
{
    private static readonly TableKeys Keys = new(null!, new ClusterKeys("shop"), new StoreIdentity());

    [Fact]
    public void Replace_LargestTable_FitsIntoOneTransaction()
    {
        // Each partition has three copies, a fourth that is joining, a large epoch and a loss; the table has a hundred
        // members.
        NodeSlot[] slots = [.. Enumerable.Range(1, 100).Select(slot => new NodeSlot((ushort)slot))];
        var entry = new PartitionEntry(
            new Epoch(1_000_000), slots[0], new EquatableArray<NodeSlot>([slots[0], slots[1], slots[2]]), slots[3], 1);
        var table = ClusterTable.CreateEmpty(ClusterMeta.MaxPartitionCount);
        foreach (var _ in slots)
            table = StoreTables.WithNewMember(table, "a-node-with-a-rather-long-name");
        var successor = StoreTables.Next(table) with { Partitions = [.. table.Partitions.Select(_ => entry)] };
        var standing = new StoredSnapshot(ClusterTable.CreateEmpty(ClusterMeta.MaxPartitionCount), 1, 2, 3);

        TransactionOperation[] steps =
        [
            new(KeyValueOperation.CheckSession("cluster/shop/coord", Guid.NewGuid().ToString())),
            .. Keys.Replace(standing, successor).Select(step => new TransactionOperation(step)),
        ];
        var body = JsonSerializer.SerializeToUtf8Bytes(steps, ConsulJson.Default.TransactionOperationArray);
        Assert.InRange(body.Length, 1, ConsulLimits.TransactionBytesMax);
    }

    [Fact]
    public void Replace_SameMembers_WritesVersionAndTableOnly()
    {
        var standing = new StoredSnapshot(StoreTables.WithNewMember(ClusterTable.CreateEmpty(16)), 11, 12, 13);

        var steps = Keys.Replace(standing, StoreTables.Next(standing.Table)).ToArray();

        Assert.Equal(["cluster/shop/version", "cluster/shop/table"], steps.Select(step => step.Key));
        Assert.Equal([13UL, 11UL], steps.Select(step => step.Index!.Value));
        Assert.All(steps, step => Assert.Equal("cas", step.Verb));
        Assert.NotEqual(0UL, steps[0].Flags);
    }

    [Fact]
    public void Replace_OtherMembers_WritesThemToo()
    {
        var standing = new StoredSnapshot(ClusterTable.CreateEmpty(16), 11, 12, 13);

        var steps = Keys.Replace(standing, StoreTables.WithNewMember(standing.Table)).ToArray();

        Assert.Equal(
            ["cluster/shop/version", "cluster/shop/table", "cluster/shop/members"], steps.Select(step => step.Key));
        Assert.Equal("2"u8.ToArray(), steps[0].Value);
    }
}
