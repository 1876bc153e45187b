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
    /// <summary>How long an answer may take; the node that is asked may wait for the version itself.</summary>
    public static readonly TimeSpan Deadline = TableDeltasService.WaitMax + TimeSpan.FromSeconds(1);

    /// <summary>How long an answer may take in a small cluster. This process reads a small table quickly from the
    /// store. It must not wait long for a node that is cut off, because a takeover waits for the table.</summary>
    public static readonly TimeSpan BriefDeadline = TimeSpan.FromMilliseconds(200);

    /// <summary>Up to this many members, a cluster is small.</summary>
    public const int SmallMax = 64;

    /// <summary>How long a node that failed is not asked.</summary>
    public static readonly TimeSpan AvoidTime = TimeSpan.FromSeconds(30);

    private const int FailuresMax = 4_096;
    private readonly ConcurrentDictionary<NodeId, long> _failures = new();

    /// <summary>The nodes to ask for a version, the best one first. None: this process reads the store.</summary>
    public IEnumerable<ClusterMember> FindSources(ClusterTable known, long version) =>
        DeltaTree.FindSources(known, tables.View.Self, version, IsAvoided);

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
        var patience = known.Members.Length <= SmallMax ? BriefDeadline : Deadline;
        using var deadline = new CancellationTokenSource(patience, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(deadline.Token, cancellationToken);
        try
        {
            var bytes = await deltasOf(source).GetAsync(known.Version, version, ended.Token).ConfigureAwait(false);
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

    private void Avoid(NodeId node)
    {
        if (_failures.Count >= FailuresMax)
            _failures.Clear();
        _failures[node] = time.GetTimestamp();
    }

    private bool IsAvoided(NodeId node) =>
        _failures.TryGetValue(node, out var at) && time.GetElapsedTime(at) < AvoidTime;
}
