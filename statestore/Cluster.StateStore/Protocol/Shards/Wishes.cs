using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>Finds out which changes of the table the replicas of a shard want. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
internal sealed class Wishes(ShardContext context)
{
    /// <summary>Returns what a replica wants; null: nothing, or the outcome of its last wish is not known.</summary>
    /// <param name="replica">The replica.</param>
    /// <param name="now">The moment.</param>
    /// <param name="moves">What may be done about planned moves now.</param>
    /// <param name="replicas">All replicas of the shard.</param>
    public Wish? Find(Replica replica, Moment now, MovePermit moves, IEnumerable<Replica> replicas)
    {
        Invariant.Check(
            replica.Phase != Phase.Sealed || replica.Awaits(PartitionChange.PlannedMove),
            "I17",
            $"partition {replica.Id} is sealed without a move of its own");
        var wish = replica.Pending is not null || context.Self is not { } self
            ? null
            : FindRestoration(replica, self) ?? replica.Phase switch
            {
                Phase.InSync => FindTakeover(replica, self, now),
                Phase.Promoting => FindShrink(replica, now),
                Phase.Serving => FindShrink(replica, now)
                    ?? FindMove(replica, now, moves, replicas)
                    ?? FindJoin(replica, now)
                    ?? FindLeave(replica)
                    ?? FindStalled(replica, now),
                _ => null,
            };

        // Writes come back when another change goes first.
        if (replica.Pending is not null || wish is { Change: not PartitionChange.PlannedMove })
            replica.ClosedSince = null;
        return wish;
    }

    /// <summary>Marks a wish as proposed. From now on the replica obeys the stricter of both configurations.</summary>
    public static void Proposed(Replica replica, Wish wish, long version)
    {
        replica.Pending = new PendingWish(wish, version);
        if (wish.Change == PartitionChange.TakeOver)
            replica.RefusedEpoch = wish.Epoch;
        else if (wish.Change == PartitionChange.PlannedMove)
            replica.Phase = Phase.Sealed;
    }

    // The coordinator waits until all nodes with snapshots have said what they have.
    private static Wish? FindRestoration(Replica replica, NodeSlot self) =>
        replica.Restoration is { Mark: { } mark } restoration && restoration.Epoch == replica.Entry.Epoch.Value
            ? Make(replica, PartitionChange.DeclareLost, self) with { Mark = mark }
            : null;

    // Backups wait for each other in the order of the entry, so that mostly one of them proposes.
    private Wish? FindTakeover(Replica replica, NodeSlot self, Moment now)
    {
        if (replica.Entry.Primary is not { } primary)
            return null;
        var order = replica.Entry.InSync.Items.Where(slot => slot != primary).TakeWhile(slot => slot != self).Count();
        var grace = context.Has(Mutant.ShortGrace) ? context.Times.Lease / 3 : context.Times.Grace;
        var wait = context.Leases.IsDead(primary) ? TimeSpan.Zero : grace;
        var since = context.Leases.IsDead(primary) ? replica.LearnedAt : SilentSince(replica, primary);
        return now.Ticks - since >= (wait + (order * context.Times.Beacon)).Ticks
            ? Make(replica, PartitionChange.TakeOver, self)
            : null;
    }

    private Wish? FindShrink(Replica replica, Moment now)
    {
        foreach (var member in replica.Entry.InSync.Items)
        {
            if (member == context.Self)
                continue;
            var isSlow = replica.Followers.TryGetValue(member, out var follower)
                && (follower.IsFull || now.Ticks - follower.WaitingSince >= context.Times.Append.Ticks);
            if (isSlow
                || context.Leases.IsDead(member)
                || now.Ticks >= ShrinkAt(replica, member))
                return Make(replica, PartitionChange.Shrink, member);
        }

        return null;
    }

    // A member that promises nothing is as bad as a silent one: it may have proposed a takeover that did not happen,
    // and then it keeps its refusal to the end of the epoch.
    private long ShrinkAt(Replica replica, NodeSlot member) => Math.Max(
        context.Leases.LeaseEnd(member, replica.Id),
        Math.Max(replica.LearnedAt, context.Leases.StartedAt) + context.Times.Lease.Ticks);

    private Wish? FindMove(Replica replica, Moment now, MovePermit moves, IEnumerable<Replica> replicas)
    {
        if (replica.Entry.Next is not { } next)
        {
            replica.ClosedSince = null;
            return null;
        }

        if (!IsReady(replica, next, now))
        {
            replica.ClosedSince = context.Has(Mutant.SealBeforeCopy) ? replica.ClosedSince ?? now.Ticks : null;
            return null;
        }

        if (moves == MovePermit.None || now.Ticks < replica.MoveNotBefore)
        {
            replica.ClosedSince = null;
            return null;
        }

        if (moves == MovePermit.Finish && replica.ClosedSince is null)
            return null;

        if (context.Has(Mutant.WaitForSlowest) && replicas.Any(each => IsWaiting(each, now)))
        {
            replica.ClosedSince ??= now.Ticks;
            return null;
        }

        // Writes are kept out until the backups have the tail. If that takes too long, the partition goes on serving.
        replica.ClosedSince ??= now.Ticks;
        if (replica.Committed == replica.Log.Last)
            return Make(replica, PartitionChange.PlannedMove, next);
        if (now.Ticks - replica.ClosedSince >= context.Times.Seal.Ticks)
        {
            replica.ClosedSince = null;
            replica.MoveNotBefore = now.Ticks + context.Times.Append.Ticks;
        }

        return null;
    }

    private bool IsWaiting(Replica replica, Moment now) =>
        replica.Phase == Phase.Serving && replica.Entry.Next is { } next && !IsReady(replica, next, now);

    private bool IsReady(Replica replica, NodeSlot next, Moment now) =>
        replica.Entry.InSync.Items.Contains(next)
        && replica.Followers.TryGetValue(next, out var follower)
        && follower.HasAcked
        && IsHeard(next, now);

    private Wish? FindJoin(Replica replica, Moment now) =>
        replica.Entry is { Joining: { } joining, HasPlace: true }
        && replica.Followers.TryGetValue(joining, out var follower)
        && follower is { IsCopied: true, HasAcked: true }
        && follower.Acked >= replica.Committed
        && follower.AckedEpoch == replica.Entry.Epoch.Value
        && IsHeard(joining, now)
            ? Make(replica, PartitionChange.Join, joining)
            : null;

    // A member that is named together with the one that replaces it stays until that one is in sync.
    private Wish? FindLeave(Replica replica) =>
        replica.Entry is { Joining: null, Leaving: { } leaving, InSync.Count: > 1 } && leaving != context.Self
            ? Make(replica, PartitionChange.Shrink, leaving)
            : null;

    private Wish? FindStalled(Replica replica, Moment now) =>
        replica.Entry.Joining is { } joining
        && (context.Leases.IsDead(joining)
            || (replica.Followers.TryGetValue(joining, out var follower) && follower.IsFull)
            || now.Ticks - replica.CopyProgressAt >= context.Times.CopyStall.Ticks)
            ? Make(replica, PartitionChange.Target, joining)
            : null;

    // A member that is suspected may stand still. With a role, it would keep the partition closed for a whole grace.
    private bool IsHeard(NodeSlot member, Moment now) =>
        !context.Leases.IsDead(member) && now.Ticks - context.Leases.HeardAt(member) < context.Times.Suspect.Ticks;

    // A peer was not asked for beacons before this epoch was known.
    private long SilentSince(Replica replica, NodeSlot member) => context.Has(Mutant.GraceFromBeacon)
        ? context.Leases.HeardAt(member)
        : Math.Max(context.Leases.HeardAt(member), replica.LearnedAt);

    private static Wish Make(Replica replica, PartitionChange change, NodeSlot member) =>
        new(replica.Id, change, member, replica.Entry.Epoch.Value);
}
