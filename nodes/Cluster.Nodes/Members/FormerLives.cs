using Cluster.Nodes.Liveness;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

/// <summary>Earlier processes of this node's name in the member list. A node joins when none of them lives any more.
/// Stateless.</summary>
internal sealed partial class FormerLives(
    ConfirmedTable table, FailureDetector detector, TimeProvider time, ILogger<FormerLives> logger)
{
    /// <summary>How long a living node of the same name may take to end; it may be the node that this one
    /// replaces.</summary>
    public static readonly TimeSpan EndWait = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private NodeId Self => table.View.Self!.Value;

    /// <summary>Waits until no life of this name is known to run, and returns those that are proven dead.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ClusterStartException">A living node has the same name.</exception>
    public async Task<LivenessResult[]> WaitAsync(CancellationToken cancellationToken)
    {
        var started = time.GetTimestamp();
        while (true)
        {
            var results = await ExamineAsync(cancellationToken).ConfigureAwait(false);
            LivenessResult[] alive = [.. results.Where(result => result.State == LivenessState.Alive)];
            if (alive.Length == 0)
            {
                foreach (var unknown in results.Where(result => result.State == LivenessState.Unknown))
                    LogFormerLifeUnknown(logger, unknown.Node, LogText.Clean(unknown.Reason));
                return [.. results.Where(result => result.State == LivenessState.Dead)];
            }

            if (time.GetElapsedTime(started) >= EndWait)
                throw NameTaken(alive[0]);
            await Task.Delay(Pause, time, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<LivenessResult[]> ExamineAsync(CancellationToken cancellationToken)
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
