using Cluster.Nodes.Liveness;
using Cluster.Nodes.Loops;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Coordination;

/// <summary>Examines the members of the table and finds those that are proven dead. Stateless.</summary>
internal sealed partial class DeadMembers(ConfirmedTable table, FailureDetector detector, LoopContext loops)
{
    public async ValueTask<LivenessResult[]> FindAsync(CancellationToken cancellationToken)
    {
        var view = table.View;
        var examined = view.Current.Members
            .Where(member => member.State != MemberState.Gone && member.Node != view.Self)
            .Select(member => detector.ExamineAsync(member, cancellationToken).AsTask());
        LivenessResult[] deaths = [.. (await Task.WhenAll(examined).ConfigureAwait(false))
            .Where(result => result.State == LivenessState.Dead)];
        if (deaths.Length == 0)
            return [];

        // A node that has just left in order looks dead as well. Only the newest table tells the two apart.
        var newest = await table.ReadAsync(cancellationToken).ConfigureAwait(false);
        deaths = [.. deaths.Where(death => newest.FindMember(death.Node) is { State: not MemberState.Gone })];
        foreach (var death in deaths)
            LogDeathFound(loops.Logger, death.Node, LogText.Clean(death.Reason));
        return deaths;
    }
}
