using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>Removes records whose life is over. Only the primary decides that, and the log tells the backups. Used
/// under the shard's lock.</summary>
/// <param name="context">What the parts of the shard share.</param>
/// <param name="writes">Adds entries to the log.</param>
internal sealed class Expiry(ShardContext context, Writes writes)
{
    private readonly List<RecordImage> _found = [];

    /// <summary>Looks for expired records from time to time.</summary>
    public void Tick(Replica replica, Moment now)
    {
        if (now.Ticks < replica.ExpiryAt)
            return;
        replica.ExpiryAt = now.Ticks + context.Times.Beacon.Ticks;
        if (replica.IsPrimary)
            replica.Clock.Steer(now);
        if (context.Has(Mutant.BackupsExpire) && replica.Phase == Phase.InSync)
            ExpireHere(replica, now);
        if (writes.Refusal(replica, now) is not null)
            return;
        var time = Writes.TimeOf(replica, now);
        replica.Requests.ForgetIdle(time - context.Times.ClientIdle.Ticks);
        _found.Clear();
        context.Records.FindExpired(replica.Id, time, context.Options.ExpiredMax, _found);
        if (_found.Count == context.Options.ExpiredMax)
            replica.ExpiryAt = now.Ticks;
        // Adding entries can commit them at once, which changes the records that were found.
        var removals = _found
            .Where(record => !replica.Heads.TryFind(record.Key, out _))
            .Select(record => (Key: record.Key.Copy(), record.Version))
            .ToArray();
        foreach (var (key, version) in removals)
        {
            var id = replica.Log.Last.Next(replica.Entry.Epoch.Value);
            var entry = new LogEntry(id, EntryKind.Expire, key) { Time = time, Version = version };
            writes.Add(replica, entry, default, now);
        }
    }

    private void ExpireHere(Replica replica, Moment now)
    {
        _found.Clear();
        context.Records.FindExpired(replica.Id, now.Utc, context.Options.ExpiredMax, _found);
        foreach (var record in _found.ToArray())
        {
            var entry = new LogEntry(record.Version.Next(record.Version.Epoch), EntryKind.Expire, record.Key.Copy());
            context.Records.Apply(replica.Id, entry, keepsTombstone: false);
        }
    }
}
