using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Appending;

/// <summary>Lets strict reads wait until each member that a commit needs has confirmed, after the read arrived, that it
/// knows no newer epoch. Then nobody else has served the partition before the read arrived, whatever clocks say. The
/// question is a frame of entries, mostly of none; reads that arrive while one is unanswered share the next one. Used
/// under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="sender">Sends the frames.</param>
internal sealed class Confirmations(ShardContext context, AppendSender sender)
{
    /// <summary>Begins a strict read.</summary>
    /// <returns>The outcome; null: it comes as an effect.</returns>
    public WriteOutcome? Ask(Replica replica, object operation, Moment now)
    {
        if (!replica.IsPrimary)
            return WriteOutcome.Moved;
        if (replica.Phase != Phase.Serving)
            return WriteOutcome.Busy;
        if (replica.Confirming is not null)
        {
            replica.ConfirmingNext.Add(operation);
            return null;
        }

        return Begin(replica, [operation], now) ? null : WriteOutcome.Done;
    }

    /// <summary>Takes the answer of a member to a frame.</summary>
    public void Acked(Replica replica, NodeSlot from, in AckItem item, long frame, Moment now)
    {
        if (replica.Confirming is not { } round
            || item.Verdict != AppendVerdict.Taken
            || item.Epoch != replica.Entry.Epoch.Value
            || !round.Missing.TryGetValue(from, out var first)
            || frame < first)
            return;
        round.Missing.Remove(from);
        if (round.Missing.Count == 0)
            End(replica, now);
    }

    /// <summary>Asks again, because the members or the epoch have changed.</summary>
    public void Restart(Replica replica, Moment now)
    {
        if (replica.Confirming is not { } round)
            return;
        replica.Confirming = null;
        round.Operations.AddRange(replica.ConfirmingNext);
        replica.ConfirmingNext.Clear();
        if (!Begin(replica, round.Operations, now))
            Complete(round.Operations, OutcomeOf(replica));
    }

    /// <summary>Ends the wait of reads that were not confirmed for too long.</summary>
    public void GiveUp(Replica replica, Moment now)
    {
        if (replica.Confirming is { } round && now.Ticks - round.Since >= context.Times.WriteWait.Ticks)
            Cancel(replica, WriteOutcome.Busy);
    }

    /// <summary>Ends all strict reads of a partition.</summary>
    public void Cancel(Replica replica, WriteOutcome outcome)
    {
        if (replica.Confirming is not { } round)
            return;
        replica.Confirming = null;
        Complete(round.Operations, outcome);
        Complete(replica.ConfirmingNext, outcome);
        replica.ConfirmingNext.Clear();
    }

    private static WriteOutcome OutcomeOf(Replica replica) =>
        replica.Phase == Phase.Serving ? WriteOutcome.Done : WriteOutcome.Busy;

    private bool Begin(Replica replica, List<object> operations, Moment now)
    {
        var round = new Confirmation(now.Ticks);
        foreach (var follower in replica.Followers.Values)
        {
            if (!replica.Needs(follower.Slot))
                continue;
            round.Missing[follower.Slot] = sender.NextFrameTo(follower.Slot);
            sender.Queue(replica, follower, now);
        }

        if (round.Missing.Count == 0)
            return false;
        round.Operations.AddRange(operations);
        replica.Confirming = round;
        return true;
    }

    private void End(Replica replica, Moment now)
    {
        Complete(replica.Confirming!.Operations, OutcomeOf(replica));
        replica.Confirming = null;
        if (replica.ConfirmingNext.Count == 0)
            return;
        object[] next = [.. replica.ConfirmingNext];
        replica.ConfirmingNext.Clear();
        if (!Begin(replica, [.. next], now))
            Complete(next, OutcomeOf(replica));
    }

    private void Complete(IEnumerable<object> operations, WriteOutcome outcome)
    {
        foreach (var operation in operations)
            context.Effects.Complete(operation, new WriteAnswer(outcome));
    }
}
