using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

/// <summary>This node's own entry in the member list: adds it, moves it forward, and removes it. Called by the
/// lifecycle, one step after the other. Stateless.</summary>
internal sealed partial class Membership(
    ConfirmedTable table, TableProposer proposer, FailureDetector detector, TimeProvider time,
    ILogger<Membership> logger)
{
    /// <summary>How long a living node of the same name may take to end; it may be the node that this one
    /// replaces.</summary>
    public static readonly TimeSpan FormerLifeWait = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan FormerLifePause = TimeSpan.FromMilliseconds(200);

    private NodeId Self => table.View.Self!.Value;

    /// <summary>Joins the member list.</summary>
    /// <param name="candidate">This node; the slot is chosen here.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStartException">A living node has the same name.</exception>
    public async Task JoinAsync(ClusterMember candidate, CancellationToken cancellationToken)
    {
        var ended = await WaitForFormerLivesAsync(cancellationToken).ConfigureAwait(false);
        await proposer.ProposeAsync(
            current => MemberChanges.Join(MemberChanges.MarkDead(current, ended), candidate),
            ProposalPace.Urgent, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Moves this node to a later state.</summary>
    public async Task AdvanceAsync(MemberState state, CancellationToken cancellationToken) =>
        await proposer.ProposeAsync(
            current => MemberChanges.Advance(current, Self, state),
            ProposalPace.Urgent, null, cancellationToken).ConfigureAwait(false);

    private async Task<LivenessResult[]> WaitForFormerLivesAsync(CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (true)
        {
            var results = await ExamineFormerLivesAsync(cancellationToken).ConfigureAwait(false);
            LivenessResult[] alive = [.. results.Where(result => result.State == LivenessState.Alive)];
            if (alive.Length == 0)
            {
                foreach (var unknown in results.Where(result => result.State == LivenessState.Unknown))
                    LogFormerLifeUnknown(logger, unknown.Node, LogText.Clean(unknown.Reason));
                return [.. results.Where(result => result.State == LivenessState.Dead)];
            }

            if (time.GetElapsedTime(started) >= FormerLifeWait)
                throw NameTaken(alive[0]);
            await Task.Delay(FormerLifePause, time, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<LivenessResult[]> ExamineFormerLivesAsync(CancellationToken cancellationToken)
    {
        var newest = await table.ReadUntilAnsweredAsync(cancellationToken).ConfigureAwait(false);
        var former = newest.Members.Where(member =>
            member.State != MemberState.Gone && member.Node.Name == Self.Name && member.Node != Self);
        return await Task.WhenAll(former.Select(member => detector.ExamineAsync(member, cancellationToken).AsTask()))
            .ConfigureAwait(false);
    }

    private static ClusterStartException NameTaken(LivenessResult alive) => new(
        ClusterExitCode.NameTaken,
        $"Another node named '{alive.Node.Name}' is alive ({alive.Node}): {alive.Reason}.",
        $"Stop it, or set {ClusterOptions.SectionName}:{nameof(ClusterOptions.NodeName)} to a name of its own.");
}
