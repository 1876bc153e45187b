using Cluster.Nodes.Configuration;
using Cluster.Nodes.Watching;
using Cluster.StateStore.Hosting.Tables;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Members;

/// <summary>Empties this node: lets its state store hand all partitions over, and waits until the table shows that
/// none is left. Remembers only what it has logged; may be called more than once.</summary>
internal sealed partial class NodeDrain(
    TableView view, ClusterSettings settings, CurrentMemberRole role, TimeProvider time, ILogger<NodeDrain> logger)
{
    private const string LeftBehind = "partitions_left";

    private int _leftTold;

    private NodeId Self => view.Self!.Value;

    /// <summary>Whether another node can take partitions.</summary>
    public bool HasSuccessor => IsSuccessorIn(view.Current);

    /// <summary>Drains. Returns whether no partition is left.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<bool> DrainAsync(CancellationToken cancellationToken)
    {
        using var span = NodeSpans.Begin(NodeSpans.Drain, Self);
        using var budget = new CancellationTokenSource(settings.DrainTimeout, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(budget.Token, cancellationToken);
        try
        {
            if (HasSuccessor)
                role.Current?.Store.Drain();
            await WaitUntilEmptyAsync(ended.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // Logged below, together with the number of partitions that are left.
        }

        var left = CountHeld(view.Current);
        if (left == 0)
            return true;
        Tell(left);
        span?.Fail(LeftBehind);
        return false;
    }

    private async Task WaitUntilEmptyAsync(CancellationToken cancellationToken)
    {
        var table = view.Current;
        while (CountHeld(table) > 0 && IsSuccessorIn(table))
            table = await view.WaitForNewerAsync(table.Version, cancellationToken).ConfigureAwait(false);
    }

    private int CountHeld(ClusterTable table) => table.FindMember(Self) is { } member
        ? table.Partitions.Count(entry => entry.InSync.Items.Contains(member.Slot))
        : 0;

    // A program that drains before it stops gets one log entry, not one for each of the two drains.
    private void Tell(int left)
    {
        if (Interlocked.Exchange(ref _leftTold, left) == left)
            return;
        LogLeftBehind(
            logger,
            Self,
            left,
            LogText.Clean(HasSuccessor ? "time is up" : "no other node is active"));
    }

    private bool IsSuccessorIn(ClusterTable table) =>
        table.Members.Any(member => member.State == MemberState.Active && member.Node != Self);
}
