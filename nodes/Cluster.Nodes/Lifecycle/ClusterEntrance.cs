using System.Security.Cryptography;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Lifecycle;

/// <summary>Finds the cluster in its store, or creates it where this node may. Waits for a store that does not answer
/// yet and for a cluster that another node will create, until the caller ends the wait. Stateless.</summary>
internal sealed partial class ClusterEntrance(
    IClusterStore store,
    ClusterSettings settings,
    ClusterComposition composition,
    TimeProvider time,
    ILogger<ClusterEntrance> logger)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(250);

    private bool MayCreate =>
        settings.Role == ClusterRole.Node
            && (settings.Bootstrap || composition.StoreBootstrap == StoreBootstrap.ByItself);

    /// <summary>Waits for the cluster, or creates it, and returns its properties.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStartException">There is no such cluster, or it is not the one that is
    /// configured.</exception>
    /// <exception cref="ClusterStoreException">The store refuses.</exception>
    public async Task<ClusterMeta> EnterAsync(CancellationToken cancellationToken)
    {
        var obstacle = "it has not answered";
        var isTold = false;
        while (true)
        {
            try
            {
                if (await FindAsync(cancellationToken).ConfigureAwait(false) is { } meta)
                    return Check(meta);
                obstacle = $"it holds no cluster named '{settings.Name}'";
            }
            catch (ClusterStoreException failure) when (failure.Kind == ClusterStoreError.Unreachable)
            {
                obstacle = $"it does not answer: {failure.Message}";
            }
            catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
            {
                throw GiveUp(obstacle);
            }

            if (!isTold)
            {
                LogWaiting(
                    logger, LogText.Clean(store.Description), LogText.Clean(obstacle), settings.StartTimeout);
            }

            isTold = true;
            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (cancellationToken.IsCancellationRequested)
                throw GiveUp(obstacle);
        }
    }

    private async Task<ClusterMeta?> FindAsync(CancellationToken cancellationToken)
    {
        var meta = await store.ReadMetaAsync(cancellationToken).ConfigureAwait(false);
        if (meta is not null || !MayCreate)
            return meta;
        var proposed = new ClusterMeta(
            Guid.NewGuid(),
            settings.Name,
            settings.PartitionCount ?? ClusterMeta.DefaultPartitionCount,
            BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(ulong))),
            ClusterMeta.CurrentFormatVersion);
        return await store.CreateAsync(proposed, cancellationToken).ConfigureAwait(false);
    }

    private ClusterMeta Check(ClusterMeta meta)
    {
        if (meta.Name != settings.Name)
        {
            throw new ClusterStartException(
                ClusterExitCode.StoreIncompatible,
                $"The {store.Description} holds the cluster '{LogText.Clean(meta.Name)}', "
                + $"but {ClusterOptions.SectionName}:Name is "
                + $"'{settings.Name}'.",
                "Correct the name or the store's address.");
        }

        if (settings.PartitionCount is not { } configured || configured == meta.PartitionCount)
            return meta;
        throw new ClusterStartException(
            ClusterExitCode.StoreIncompatible,
            $"The cluster '{meta.Name}' has {meta.PartitionCount} partitions, but "
            + $"{ClusterOptions.SectionName}:PartitionCount is "
            + $"{configured}. The count of a cluster never changes.",
            $"Set it to {meta.PartitionCount}, or leave it out.");
    }

    private ClusterStartException GiveUp(string obstacle) => new(
        ClusterExitCode.StoreUnreachable,
        $"The {store.Description} could not be used within {settings.StartTimeout.TotalSeconds} s: {obstacle}.",
        MayCreate
            ? "Start the store, or correct its address."
            : $"Start the store, correct its address, or start one node "
                + $"with {ClusterOptions.SectionName}:Bootstrap=true "
            + "to create the cluster.");
}
