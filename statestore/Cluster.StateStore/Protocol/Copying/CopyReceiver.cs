using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Frames;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Copying;

/// <summary>Receives the partitions that this node joins. Used under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
internal sealed class CopyReceiver(ShardContext context)
{
    private long _copies;

    /// <summary>Begins to ask for a partition, of which nothing is here but a base.</summary>
    public void Begin(Replica replica, Moment now)
    {
        replica.Copy = new CopyState(++_copies) { ProgressAt = now.Ticks, Base = replica.Base };
        if (now.Ticks >= replica.AskNotBefore)
            Ask(replica, replica.Copy, now);
    }

    /// <summary>Asks again after silence.</summary>
    /// <returns>False if chunks were lost: what has arrived must be dropped.</returns>
    public bool Tick(Replica replica, Moment now)
    {
        if (replica.Copy is not { } copy || now.Ticks - copy.ProgressAt < 2 * context.Times.Resend.Ticks)
            return true;
        if (copy.Last is { } last && replica.Entry.Primary is { } primary)
        {
            copy.ProgressAt = now.Ticks;
            context.Effects.Send(primary, last);
            return true;
        }

        if (copy.Next > 0)
            return false;
        if (now.Ticks >= replica.AskNotBefore)
            Ask(replica, copy, now);
        return true;
    }

    /// <summary>Takes a chunk.</summary>
    /// <returns>False if there is no room, or if the base is refused: what is here must be dropped.</returns>
    public bool Receive(NodeSlot from, Replica replica, CopyChunk chunk, Moment now)
    {
        if (replica.Phase != Phase.Copying
            || replica.Copy is not { } copy
            || from != replica.Entry.Primary
            || chunk.Ask.Copy != copy.Number
            || (copy.Scan != 0 && copy.Scan != chunk.Scan))
        {
            context.Counters.OtherEpoch++;
            return true;
        }

        if (copy is { Base: not null, Next: 0 } && !chunk.IsDifference)
        {
            if (!context.Has(Mutant.CopyOverBase))
                return false;
            replica.Base = null;
            Begin(replica, now);
            return true;
        }

        if (chunk.Index == copy.Next && !copy.IsComplete && !TryTake(replica, copy, chunk, now))
        {
            Refuse(from, replica, chunk, now);
            return false;
        }

        var ack = new CopyAck(chunk.Ask, chunk.Scan, copy.Next);
        if (chunk.IsLast && copy.Next > chunk.Index)
            copy.Last = ack;
        context.Effects.Send(from, ack);
        return true;
    }

    private bool TryTake(Replica replica, CopyState copy, CopyChunk chunk, Moment now)
    {
        if (chunk.Index == 0)
        {
            // From here on, the records are neither those of the mark nor those of the primary.
            context.Options.Marks?.Clear(replica.Id);
            replica.Base = null;
            copy.Scan = chunk.Scan;
            copy.BaseBytes = copy.Base is null ? 0 : context.Records.SumsOf(replica.Id).Bytes;
            replica.Log.Reset(chunk.Start);
            (replica.Committed, replica.Matched) = (chunk.Start, chunk.Start);
            foreach (var image in chunk.Requests)
                replica.Requests.Load(image);
        }

        replica.HasContent = true;
        replica.Clock.Told(chunk.Time, now.Ticks);
        if (!context.Records.HasRoom(replica.Id, chunk.Records.Sum(record => record.Value.Length)))
            return false;
        foreach (var record in chunk.Records)
        {
            if (!context.Records.Load(replica.Id, Received(record, chunk, now)))
                return false;
            context.Counters.CopyBytesReceived += record.Key.Bytes.Length + record.Value.Length;
        }

        copy.Next++;
        copy.ProgressAt = now.Ticks;
        return true;
    }

    // The source gives up at once, and the target does not ask again until the table has taken it back.
    private void Refuse(NodeSlot from, Replica replica, CopyChunk chunk, Moment now)
    {
        replica.AskNotBefore = now.Ticks + context.Times.CopyStall.Ticks;
        var refusal = new AckItem(replica.Id, replica.Entry.Epoch.Value, AppendVerdict.Full, default, chunk.Scan);
        context.Effects.Send(from, new AckFrame(Number: 0, TableVersion: 0, [refusal]));
    }

    // An expiry is a time of UTC, so it means the same everywhere.
    private RecordImage Received(in RecordImage record, CopyChunk chunk, Moment now) =>
        context.Has(Mutant.ReceiversClock) && record.Expiry != 0
            ? record with { Expiry = now.Utc + record.Expiry - chunk.Time }
            : record;

    private void Ask(Replica replica, CopyState copy, Moment now)
    {
        copy.ProgressAt = now.Ticks;
        if (replica.Entry.Primary is not { } primary)
            return;

        // An older primary does not know the question with a base. It sends everything, and the base goes.
        var known = context.ProtocolOf(primary) >= ProtocolVersion.WithBases ? copy.Base : null;
        var ask = new CopyAsk(replica.Id, replica.Entry.Epoch.Value, copy.Number) { Base = known };
        context.Effects.Send(primary, ask);
    }
}
