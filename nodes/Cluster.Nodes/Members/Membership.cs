using Cluster.Contracts;
using Cluster.Nodes.Configuration;
using Cluster.Nodes.Coordination;
using Cluster.Nodes.Liveness;
using Cluster.Nodes.Proposals;
using Cluster.Nodes.Stores;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Members;

/// <summary>
/// This node's own place in the member list: how it gets there, moves forward, and leaves. Called by the lifecycle,
/// one step after the other; keeps nothing itself.
/// </summary>
internal sealed partial class Membership(
    NodeIdentity self, TableView view, TableProposer proposer,
    FailureDetector examiner, MembershipSurroundings surroundings)
{
    /// <summary>How long a living node of the same name may take to end; it may be the one that this one
    /// replaces.</summary>
    public static readonly TimeSpan FormerLifeWait = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan FormerLifePause = TimeSpan.FromMilliseconds(200);

    /// <summary>Joins the member list.</summary>
    /// <param name="candidate">This node; the slot is chosen here.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStartException">A living node has the same name.</exception>
    public async Task JoinAsync(ClusterMember candidate, CancellationToken cancellationToken)
    {
        var ended = await WaitForFormerLivesAsync(cancellationToken).ConfigureAwait(false);
        await proposer.ProposeAsync(
            table => MemberChanges.Join(MemberChanges.MarkDead(table, ended), candidate),
            ProposalPace.Urgent, null, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Moves this node forward in its life.</summary>
    public async Task AdvanceAsync(MemberState state, CancellationToken cancellationToken) =>
        await proposer.ProposeAsync(
            table => MemberChanges.Advance(table, self.Node, state),
            ProposalPace.Urgent, null, cancellationToken).ConfigureAwait(false);

    private async Task<LivenessResult[]> WaitForFormerLivesAsync(CancellationToken cancellationToken)
    {
        var started = surroundings.Time.GetTimestamp();
        while (true)
        {
            var results = await ExamineFormerLivesAsync(cancellationToken).ConfigureAwait(false);
            LivenessResult[] alive = [.. results.Where(result => result.State == LivenessState.Alive)];
            if (alive.Length == 0)
            {
                foreach (var unknown in results.Where(result => result.State == LivenessState.Unknown))
                    LogFormerLifeUnknown(surroundings.Logger, unknown.Node, LogText.Clean(unknown.Reason));
                return [.. results.Where(result => result.State == LivenessState.Dead)];
            }

            if (surroundings.Time.GetElapsedTime(started) >= FormerLifeWait)
                throw NameTaken(alive[0]);
            await Task.Delay(FormerLifePause, surroundings.Time, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<LivenessResult[]> ExamineFormerLivesAsync(CancellationToken cancellationToken)
    {
        var table = await StoreQuestion.AskAsync(
            token => ConfirmedTable.ReadAsync(surroundings.Store, view, token), surroundings.Time, cancellationToken)
            .ConfigureAwait(false);
        var former = table.Members.Where(member =>
            member.State != MemberState.Gone && member.Node.Name == self.Node.Name && member.Node != self.Node);
        return await Task.WhenAll(former.Select(member => examiner.ExamineAsync(member, cancellationToken).AsTask()))
            .ConfigureAwait(false);
    }

    private static ClusterStartException NameTaken(LivenessResult alive) => new(
        ClusterExitCode.NameTaken,
        $"Another node named '{alive.Node.Name}' is alive ({alive.Node}): {alive.Reason}.",
        $"Stop it, or set {ClusterOptions.SectionName}:{nameof(ClusterOptions.NodeName)} to a name of its own.");
}
