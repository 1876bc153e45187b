using System.Text.Json;
using Cluster.Nodes.Consul.Client;
using Cluster.Nodes.Consul.Messages;
using Cluster.Nodes.Stores;

namespace Cluster.Nodes.Consul.Storage;

/// <summary>Lets a registered node try for the coordinator's lock with a session that lives and dies with the node's
/// check. The lock is taken only while Consul holds the cluster that this store belongs to. Stateless but for its keys;
/// losing candidates write nothing while somebody holds the lock.</summary>
internal sealed class CoordinatorElection(
    ConsulClusterStore store, ConsulClient consul, TableKeys table, ClusterKeys keys)
{
    public async Task<ConsulCoordinatorLease?> TryAcquireAsync(
        ConsulRegistration candidate, CancellationToken cancellationToken)
    {
        var (wanted, meta) = (await store.ReadWholeAsync(
            _ => table.ReadOwnAsync(keys.Coordinator, cancellationToken), TableConsistency.Consistent,
            cancellationToken).ConfigureAwait(false))!.Value;
        if (wanted.Session is not null)
            return null;
        var session = await consul.CreateSessionAsync(Describe(candidate), cancellationToken).ConfigureAwait(false);
        var lease = new ConsulCoordinatorLease(store, candidate, session);
        try
        {
            var outcome = await consul.AcquireAsync(
                KeyValueOperation.Lock(keys.Coordinator, Note(candidate), session),
                KeyValueOperation.CheckIndex(keys.Meta, meta.ModifyIndex),
                cancellationToken).ConfigureAwait(false);
            if (outcome == LockOutcome.Acquired && candidate.TryAttach(lease))
                return lease;
        }
        catch (Exception failure) when (failure is ClusterStoreException or OperationCanceledException)
        {
            // The lock may have been taken all the same, and nobody would know: the session must not stay.
            await lease.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        await lease.DisposeAsync().ConfigureAwait(false);
        return null;
    }

    // No time to live: Consul frees such a session only after twice the time, and any renewal would be one more
    // thing that a leader loss stops. No lock delay: safety rests on compare-and-swap, the lock only avoids
    // contention.
    private SessionRequest Describe(ConsulRegistration candidate) => new(
        $"coordinator of {store.ClusterName}: {candidate.Node}", "0s", "release", ["serfHealth"],
        [new SessionServiceCheck(candidate.CheckId)]);

    private static byte[] Note(ConsulRegistration candidate) => JsonSerializer.SerializeToUtf8Bytes(
        new CoordinatorNote(candidate.Node.Name, candidate.Node.Incarnation, candidate.Address.OriginalString),
        ConsulJson.Default.CoordinatorNote);
}
