using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Appending;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Copying;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Restoring;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>Gives each replica the role that the table names: primary, backup, target of a copy, or nothing. Only a
/// table that the store has confirmed comes here. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="commits">Commits entries.</param>
/// <param name="sender">Sends entries.</param>
/// <param name="copies">Sends copies.</param>
/// <param name="receiver">Receives copies.</param>
internal sealed class Roles(
    ShardContext context, Commits commits, AppendSender sender, CopySender copies, CopyReceiver receiver)
{
    private readonly Restorer _restorer = new(context);

    /// <summary>Looks for what an earlier life of the node has left of a partition. With a mark, it can be the base of
    /// a copy; without one, nothing is certain about it.</summary>
    public void Attach(Replica replica)
    {
        if (context.Options.Marks is not { } marks)
            return;
        replica.HasContent = context.Records.Recount(replica.Id);
        replica.Base = marks.Find(replica.Id);
        if (replica.Base is not null)
            (replica.Phase, replica.HasContent) = (Phase.Kept, true);
        else if (replica.HasContent)
            replica.Phase = Phase.Dropping;
    }

    /// <summary>Applies an entry of a newer table.</summary>
    public void Changed(Replica replica, PartitionEntry entry, long version, Moment now)
    {
        if (version <= replica.TableVersion)
            return;
        replica.TableVersion = version;
        var old = replica.Entry;
        Invariant.Check(
            entry.Epoch >= old.Epoch, "I2", $"partition {replica.Id} falls from epoch {old.Epoch} to {entry.Epoch}");
        var wasPending = replica.Pending is { } pending && version > pending.Version;
        if (wasPending)
            replica.Pending = null;
        if (entry == old)
        {
            if (wasPending)
                Continue(replica, now);
            return;
        }

        replica.Entry = entry;
        if (entry.Epoch != old.Epoch)
        {
            replica.LearnedAt = now.Ticks;
            context.Counters.EpochChanges += context.Self is { } self && (entry.Names(self) || old.Names(self)) ? 1 : 0;
        }

        if (entry.Primary != old.Primary)
            replica.PrimaryVersion = version;
        if (entry.Joining != old.Joining)
            replica.CopyProgressAt = now.Ticks;
        var isNext = entry.Primary == old.Primary && entry.Epoch.Value <= old.Epoch.Value + 1;
        TakeRole(replica, isNext, now);
    }

    /// <summary>Looks for lost partitions, after the replicas have taken the roles that the table names.</summary>
    public void FindLost(ClusterTable table, IEnumerable<Replica> replicas) => _restorer.Apply(table, replicas);

    /// <summary>Takes a part of a snapshot.</summary>
    /// <returns>False: no more is wanted, or there is no room.</returns>
    public bool Load(Replica replica, long epoch, in SnapshotContent content) =>
        _restorer.Load(replica, epoch, content);

    /// <summary>Ends the load of a snapshot.</summary>
    /// <param name="replica">The partition.</param>
    /// <param name="epoch">The epoch of the loss.</param>
    /// <param name="mark">What was loaded; null: not everything, so that the partition begins empty.</param>
    /// <param name="now">The moment.</param>
    /// <returns>False: the load was not under way any more.</returns>
    public bool EndLoad(Replica replica, long epoch, SnapshotMark? mark, Moment now)
    {
        if (!(mark is { } whole ? _restorer.TryEnd(replica, epoch, whole, now) : _restorer.TryGiveUp(replica, epoch)))
            return false;
        if (mark is null)
            Drop(replica);
        else
            Promote(replica, now);
        return true;
    }

    /// <summary>Goes on with dropping and copying.</summary>
    public void Tick(Replica replica, Moment now)
    {
        if (replica.Phase == Phase.Copying && !receiver.Tick(replica, now))
            Drop(replica);
        if (replica.Phase == Phase.Kept && IsInTheWay(replica, now))
            Drop(replica);
        if (replica.Phase != Phase.Dropping || !context.Records.DropSlice(replica.Id, context.Options.DropSlice))
            return;
        replica.Log.Reset(default);
        replica.Requests.Clear();
        (replica.Committed, replica.Matched) = (default, default);
        replica.Clock.Reset();
        replica.HasContent = false;
        replica.Phase = Phase.Absent;
        TakeRole(replica, isNext: false, now);
    }

    /// <summary>Makes this node the primary: nothing is served before all in-sync members have its log.</summary>
    public void Promote(Replica replica, Moment now)
    {
        replica.Phase = Phase.Promoting;
        replica.Clock.Begin(now);
        replica.PrimarySince = replica.Entry.Epoch.Value;
        replica.PromotedUntil = replica.Log.Last;
        replica.CopyProgressAt = now.Ticks;
        replica.ClosedSince = null;
        replica.Followers.Clear();
        for (var index = replica.Log.IndexAfter(replica.Committed); index < replica.Log.Count; index++)
            replica.Heads.Add(LogEntryCodec.Read(replica.Log.At(index).Bytes));
        if (context.Has(Mutant.CommitOnPromotion))
            commits.CommitTo(replica, replica.Log.Last, now);
        Continue(replica, now);
    }

    /// <summary>Removes what the node holds of a partition, and begins its role again.</summary>
    public void Drop(Replica replica)
    {
        if (replica.IsPrimary)
            Demote(replica);
        ForgetBase(replica);
        replica.Copy = null;
        replica.ContentNumber++;
        replica.Freshness.Forget();
        replica.Phase = Phase.Dropping;
    }

    // The mark goes before the first record does.
    private void ForgetBase(Replica replica)
    {
        context.Options.Marks?.Clear(replica.Id);
        if (replica.Base is not null)
            context.Counters.BasesDropped++;
        replica.Base = null;
    }

    // The memory is needed for what the node has to hold, or nobody has given the partition to it for long.
    private bool IsInTheWay(Replica replica, Moment now) =>
        !context.Records.HasRoom(replica.Id, 0)
        || now.Ticks - context.MemberSince >= context.Times.KeepBase.Ticks;

    // A role goes on where the primary stayed and no epoch was missed. Else the replica begins it again: an epoch that
    // it did not see may have had another primary.
    private void TakeRole(Replica replica, bool isNext, Moment now)
    {
        if (replica.Phase == Phase.Dropping)
            return;
        var entry = replica.Entry;
        var isTarget = context.Self is not null && entry.Joining == context.Self;

        // A base that no chunk has changed serves the next copy.
        if (replica.Copy is { IsBaseUntouched: true } && !(isTarget && isNext))
            (replica.Copy, replica.Phase) = (null, Phase.Kept);
        if (context.Self is not { } self || !entry.Names(self))
        {
            if (replica.Phase != Phase.Kept)
                Leave(replica);
            return;
        }

        // What an earlier life has left is never served, and is no content that a loss could take.
        if (replica.Phase == Phase.Kept)
        {
            if (!isTarget || replica.Base?.LossCount != entry.LossCount)
            {
                Drop(replica);
                return;
            }

            replica.ContentLossCount = entry.LossCount;
        }

        if (replica.ContentLossCount != entry.LossCount && (replica.HasContent || replica.Phase == Phase.Copying))
        {
            ReportLoss(replica);
            Drop(replica);
            return;
        }

        replica.ContentLossCount = entry.LossCount;
        if (entry.Primary == self)
            BePrimary(replica, isNext, now);
        else if (entry.InSync.Items.Contains(self))
            BeBackup(replica, isNext);
        else
            BeTarget(replica, isNext, now);
    }

    private void BePrimary(Replica replica, bool isNext, Moment now)
    {
        EndCopy(replica);
        if (_restorer.IsBegun(replica))
            return;
        if (replica.IsPrimary && isNext)
            Continue(replica, now);
        else
            Promote(replica, now);
    }

    private void BeBackup(Replica replica, bool isNext)
    {
        if (replica.IsPrimary)
            Demote(replica);
        EndCopy(replica);
        replica.Phase = Phase.InSync;
        if (!isNext)
            replica.Matched = replica.Committed;
        commits.MarkCommitted(replica);
    }

    // The primary has seen that the copy is complete, or the table would not list this node as in sync.
    private void EndCopy(Replica replica)
    {
        if (replica.Phase != Phase.Copying)
            return;
        Invariant.Check(
            replica.Copy is { IsComplete: true }, "I3", $"partition {replica.Id} is in sync before its copy has ended");
        context.Counters.CopiesReceived++;
        context.Counters.DifferencesReceived += replica.Copy?.Base is null ? 0 : 1;
        context.Counters.BaseBytesUsed += replica.Copy?.BaseBytes ?? 0;
        replica.Copy = null;
        context.Records.ForgetTombstones(replica.Id);
    }

    private void BeTarget(Replica replica, bool isNext, Moment now)
    {
        if (replica.Phase == Phase.Copying && isNext)
            return;
        if (replica.IsPrimary)
            Demote(replica);
        if (replica.Phase != Phase.Kept && (replica.HasContent || replica.Phase == Phase.Copying))
        {
            Drop(replica);
            return;
        }

        replica.Phase = Phase.Copying;
        receiver.Begin(replica, now);
    }

    private void Leave(Replica replica)
    {
        if (replica.IsPrimary)
            Demote(replica);
        ForgetBase(replica);
        replica.Copy = null;
        replica.ContentNumber++;
        replica.AskNotBefore = 0;
        replica.Freshness.Forget();
        replica.Phase = replica.HasContent ? Phase.Dropping : Phase.Absent;
    }

    // Brings the followers in line with the entry. The log of this primary has only grown, so what they have
    // acknowledged still counts.
    private void Continue(Replica replica, Moment now)
    {
        if (!replica.IsPrimary)
            return;
        if (replica.Phase == Phase.Sealed && replica.Pending is null)
        {
            replica.Phase = Phase.Serving;
            replica.ClosedSince = null;
            replica.MoveNotBefore = now.Ticks + context.Times.Beacon.Ticks;
        }

        foreach (var slot in replica.Followers.Keys)
        {
            if (!replica.Entry.InSync.Items.Contains(slot) && replica.Entry.Joining != slot)
                replica.Followers.Remove(slot);
        }

        if (replica.Entry.Joining is not { } joining || !replica.Followers.ContainsKey(joining))
            copies.End(replica.Id);
        foreach (var slot in replica.Entry.InSync.Items)
        {
            if (slot != context.Self && !replica.Followers.ContainsKey(slot))
                replica.Followers[slot] = new Follower(slot) { Acked = replica.Committed, Sent = replica.Committed };
        }

        if (context.Has(Mutant.OwnViewOfHealth) && replica.Entry.Primary != context.Self)
            replica.Followers.Clear();
        sender.Queue(replica, now);
        sender.Confirmations.Restart(replica, now);
        commits.Advance(replica, now);
    }

    private void Demote(Replica replica)
    {
        replica.Heads.Clear();
        replica.Followers.Clear();
        copies.End(replica.Id);
        (replica.PrimarySince, replica.Matched) = (0, replica.Committed);
        replica.ClosedSince = null;
        sender.Confirmations.Cancel(replica, WriteOutcome.Moved);
        while (replica.Waiting.TryDequeue(out var waiting, out _))
        {
            context.Counters.Demoted++;
            context.Effects.Complete(waiting.Operation, new WriteAnswer(WriteOutcome.Moved));
        }
    }

    private void ReportLoss(Replica replica)
    {
        var held = context.Records.SumsOf(replica.Id).Count;
        if (context.Has(Mutant.CountLossLate))
        {
            context.Records.DropSlice(replica.Id, int.MaxValue);
            held = context.Records.SumsOf(replica.Id).Count;
        }

        context.Effects.Losses.Add((replica.Id, replica.Entry.LossCount, held));
    }
}
