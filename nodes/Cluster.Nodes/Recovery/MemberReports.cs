using Cluster.Nodes.Liveness;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Recovery;

/// <summary>Asks all other members of a table for their reports. A member that does not answer may be proven dead.
/// Stateless.</summary>
/// <param name="reportsOf">Finds where a node is asked.</param>
/// <param name="detector">Looks for the proof.</param>
/// <param name="time">Bounds the waits.</param>
internal sealed class MemberReports(
    Func<ClusterMember, ITableReports> reportsOf, FailureDetector detector, TimeProvider time)
{
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(2);

    /// <summary>Asks the members.</summary>
    /// <param name="table">The table that lists them.</param>
    /// <param name="self">The node that asks.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task<MemberReport[]> AskAsync(ClusterTable table, NodeId self, CancellationToken cancellationToken) =>
        Task.WhenAll(table.Members
            .Where(member => member.State != MemberState.Gone && member.Node != self)
            .Select(member => AskAsync(member, cancellationToken)));

    private async Task<MemberReport> AskAsync(ClusterMember member, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(AnswerTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            var report = await reportsOf(member).GetAsync(ended.Token).ConfigureAwait(false);
            return new MemberReport(member.Node, false, report);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The member may be paused.
        }
        catch (Exception failure) when (failure is GlueException or RemoteException or ArgumentException)
        {
            // The member list can also contain an address that is none, and a node of an older version.
        }

        var found = await detector.ExamineAsync(member, cancellationToken).ConfigureAwait(false);
        return new MemberReport(member.Node, found.State == LivenessState.Dead, null);
    }
}
