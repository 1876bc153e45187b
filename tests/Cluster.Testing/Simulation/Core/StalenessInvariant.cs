using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;
using Cluster.Testing.Simulation.Invariants;

namespace Cluster.Testing.Simulation.Core;

/// <summary>I14: a read that may be old misses no write that was acknowledged longer ago than that, in true time.
/// Versions of a partition rise, so the version of the answer tells what it misses.</summary>
public sealed class StalenessInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        // The clock that measures the age may run slower than true time.
        var rate = 1 - (cluster.Settings.RateSpread / (double)SimulationRandom.Million);
        var ageMax = CoreRequests.StalenessMax / rate;
        foreach (var key in cluster.Operations.GroupBy(operation => operation.Request.Key))
        {
            if (cluster.Store.Current[new PartitionId(key.Key.Partition)].LossCount == 0)
                Check(cluster, key.Key, [.. key], ageMax);
        }
    }

    private static void Check(SimulatedCluster cluster, ClientKey key, ClientOperation[] operations, TimeSpan ageMax)
    {
        var writes = operations.Where(IsWrite).OrderBy(operation => operation.Returned).ToArray();
        var canVanish = key.Use == KeyUse.Expiring
            || operations.Any(operation => operation.Request.Action == ClientAction.Remove);
        foreach (var read in operations)
        {
            if (read is not { Request.Reads: ReadMode.Stale, Reply: { } reply } || (!reply.Flag && canVanish))
                continue;
            var known = writes.TakeWhile(write => write.Returned < read.Invoked - ageMax);
            var missed = known.FirstOrDefault(write => write.Reply!.Version > reply.Version);
            if (missed is not null)
                cluster.World.Violate("I14", $"{read} misses {missed}");
        }
    }

    private static bool IsWrite(ClientOperation operation) => operation.Reply is { Version: > 0 } reply
        && operation.Request.Action switch
        {
            ClientAction.Put or ClientAction.Increment or ClientAction.Append => true,
            ClientAction.PutIfVersion => reply.Flag,
            _ => false,
        };
}
