using Cluster.StateStore;
using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Deltas;

/// <summary>Asks other nodes for the changes of the table. A node that failed to answer is not asked for a while.
/// Thread-safe; the times of failures are all its state.</summary>
/// <param name="tables">What this process knows.</param>
/// <param name="deltasOf">Finds where a node is asked.</param>
/// <param name="time">Bounds the waits.</param>
/// <param name="logger">Gets wrong answers.</param>
internal sealed partial class DeltaClient(
    RecentTables tables, Func<ClusterMember, ITableDeltas> deltasOf, TimeProvider time, ILogger<DeltaClient> logger)
{
    /// <summary>How long an answer may take; the node that is asked may wait for the version itself. A takeover waits
    /// for the table, and a node that is dead or cut off is asked in vain. So the time is short: where nobody answers,
    /// this process reads the table from the store.</summary>
    public static readonly TimeSpan Deadline = TableDeltasService.WaitMax + TimeSpan.FromMilliseconds(100);

    /// <summary>How long a node that failed is not asked.</summary>
    public static readonly TimeSpan AvoidTime = TimeSpan.FromSeconds(30);

    private const int FailuresMax = 4_096;
    private readonly ConcurrentDictionary<NodeId, long> _failures = new();

    /// <summary>The nodes to ask for a version, the best one first. None: this process reads the store.</summary>
    public IEnumerable<ClusterMember> FindSources(ClusterTable known, long version) =>
        DeltaTree.IsUsed(known) ? DeltaTree.FindSources(known, tables.View.Self, version, IsAvoided) : [];

    /// <summary>Asks a node, and applies what it answers.</summary>
    /// <param name="source">The node.</param>
    /// <param name="known">The table that the changes are applied to.</param>
    /// <param name="version">The version that is wanted.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A table of this version or a later one with its digest, which only the store can confirm. Null: the
    /// node does not answer, cannot tell, or tells something wrong.</returns>
    public async ValueTask<(ClusterTable Table, ulong Digest)?> AskAsync(
        ClusterMember source, ClusterTable known, long version, CancellationToken cancellationToken)
    {
        using var deadline = new CancellationTokenSource(Deadline, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            var bytes = await GetAsync(source, known.Version, version, ended.Token).ConfigureAwait(false);
            if (bytes.Length == 0)
                return null;
            var delta = TableDeltaCodec.Decode(bytes, tables.ClusterId);
            if (delta.To >= version && delta.ApplyTo(known) is { } table)
                return (table, delta.Digest);
            Refuse(source, $"its changes do not lead from table {known.Version} to table {version}");
        }
        catch (StateFormatException failure)
        {
            Refuse(source, failure.Message);
        }
        catch (OperationCanceledException) when (deadline.IsCancellationRequested)
        {
            Avoid(source.Node);
        }
        catch (Exception failure) when (failure is GlueException or RemoteException or ArgumentException)
        {
            // The member list can also contain an address that is none.
            Avoid(source.Node);
        }

        return null;
    }

    /// <summary>Notes that a node told something else than the store.</summary>
    public void Refuse(ClusterMember source, string reason)
    {
        Avoid(source.Node);
        LogWrongDelta(logger, source.Node, LogText.Clean(reason));
    }

    private async ValueTask<byte[]> GetAsync(
        ClusterMember source, long from, long to, CancellationToken cancellationToken)
    {
        var deltas = deltasOf(source);
        if (!PackedDelta.IsSpokenBy(source))
            return await deltas.GetAsync(from, to, cancellationToken).ConfigureAwait(false);
        var packed = await deltas.GetPackedAsync(from, to, cancellationToken).ConfigureAwait(false);
        return packed.Length == 0 ? [] : PackedDelta.Unpack(packed);
    }

    private void Avoid(NodeId node)
    {
        if (_failures.Count >= FailuresMax)
            _failures.Clear();
        _failures[node] = time.GetTimestamp();
    }

    private bool IsAvoided(NodeId node) =>
        _failures.TryGetValue(node, out var at) && time.GetElapsedTime(at) < AvoidTime;
}
