using Cluster.Nodes.Stores;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.NodeHost;

/// <summary>What an operator does with a table and its members, on the store itself. Stateless.</summary>
internal sealed class TableVerbs(OperatorConsole console, OperatorLog log, TimeProvider time)
{
    private const int AttemptsMax = 20;

    /// <summary>Exports properties and table into a file.</summary>
    public async Task ExportAsync(IClusterStore store, string path, CancellationToken cancellationToken)
    {
        var meta = await store.ReadMetaAsync(cancellationToken).ConfigureAwait(false)
            ?? throw new OperatorException(
                OperatorExitCode.FileMissing, $"The {store.Description} holds no cluster: there is nothing to export.");
        var table = await store.ReadTableAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);
        await new TableFile(meta, table).WriteAsync(path, store.Description, time.GetUtcNow(), cancellationToken)
            .ConfigureAwait(false);
        await console.Out.WriteLineAsync($"Exported {Describe(meta, table)} to {path}.").ConfigureAwait(false);
    }

    /// <summary>Puts an exported cluster back into a store that holds none.</summary>
    public async Task ImportAsync(
        IRestorableClusterStore store, TableFile file, OperatorConsent consent, CancellationToken cancellationToken)
    {
        var found = await store.ReadMetaAsync(cancellationToken).ConfigureAwait(false);
        if (found is not null)
            throw Taken(store, found);
        await consent.RequireAsync(
            console, $"put {Describe(file.Meta, file.Table)} back into the {store.Description}").ConfigureAwait(false);

        // One version above the exported one, so that nodes that run with that one take it for news.
        var table = file.Table.StartSuccessor(Guid.NewGuid());
        if (!await store.RestoreAsync(file.Meta, table, cancellationToken).ConfigureAwait(false))
            throw Taken(store, await store.ReadMetaAsync(cancellationToken).ConfigureAwait(false) ?? file.Meta);
        await log.WriteAsync(
            consent.LogPath, $"imported {Describe(file.Meta, table)} into the {store.Description}")
            .ConfigureAwait(false);
    }

    /// <summary>Declares that a life of a node is over.</summary>
    public async Task BuryAsync(
        IClusterStore store, string name, OperatorConsent consent, CancellationToken cancellationToken)
    {
        for (var attempt = 0; attempt < AttemptsMax; attempt++)
        {
            var table =
                await store.ReadTableAsync(TableConsistency.Consistent, cancellationToken).ConfigureAwait(false);
            var member = Find(table, name, store);
            var owned = table.Partitions.Count(entry => entry.Primary == member.Slot);
            await consent.RequireAsync(
                console,
                $"declare node {member.Node} dead, which loses the contents of its {owned} partitions; it must not run "
                + "any more").ConfigureAwait(false);
            var successor = table.WithMember(member with { State = MemberState.Gone })
                .WithDeath(new NodeDeath(member.Node, $"declared dead by the operator {OperatorLog.Operator}"))
                .StartSuccessor(Guid.NewGuid());
            var outcome = await store.CompareAndSwapAsync(successor, null, cancellationToken).ConfigureAwait(false);
            if (outcome != SwapOutcome.Swapped)
                continue;
            await log.WriteAsync(
                consent.LogPath,
                $"declared node {member.Node} with {owned} partitions dead, table {successor.Version} in the "
                + store.Description).ConfigureAwait(false);
            return;
        }

        throw new OperatorException(
            OperatorExitCode.Conflict, $"The table changed {AttemptsMax} times meanwhile. Try again.");
    }

    private static ClusterMember Find(ClusterTable table, string name, IClusterStore store)
    {
        ClusterMember[] living = [.. table.Members.Where(member => member.State != MemberState.Gone)];
        ClusterMember[] fitting =
        [
            .. living.Where(member => member.Node.Name == name || member.Node.Incarnation.ToString() == name),
        ];
        if (fitting is [var only])
            return only;
        var known = string.Join(
            ", ", living.Select(member => $"{member.Node.Name} ({member.Node.Incarnation}, {member.State})"));
        throw new OperatorException(
            OperatorExitCode.NoSuchMember,
            fitting.Length == 0
                ? $"The {store.Description} lists no living node '{name}'; it lists: {known}."
                : $"Several lives of '{name}' are listed; name one by its incarnation: {known}.");
    }

    private static OperatorException Taken(IClusterStore store, ClusterMeta found) => new(
        OperatorExitCode.StoreTaken,
        $"The {store.Description} already holds the cluster '{found.Name}' ({found.ClusterId}). Nothing was changed. "
        + "When it is one that was created by mistake, stop its nodes and remove what the store holds first.");

    private static string Describe(ClusterMeta meta, ClusterTable table) =>
        $"table {table.Version} of cluster '{meta.Name}' ({meta.ClusterId}) with {table.Members.Length} members and "
        + $"{table.Partitions.Length} partitions";
}
