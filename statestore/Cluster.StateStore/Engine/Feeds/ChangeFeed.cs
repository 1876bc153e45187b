using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Shards;

namespace Cluster.StateStore.Engine.Feeds;

/// <summary>One watch of one process: the changes of a state in the partitions that this node serves, kept until the
/// process has fetched them. Used under the engine's lock.</summary>
/// <param name="state">The state.</param>
/// <param name="withValues">Whether the changes bring the values along.</param>
/// <param name="set">The first partition of the state's set.</param>
/// <param name="hash">The hash of the cluster.</param>
internal sealed class ChangeFeed(uint state, bool withValues, PartitionId set, PartitionHash hash)
{
    /// <summary>A process that is further behind than this many bytes begins again.</summary>
    public const int BytesMax = 4 << 20;

    // How often a feed finds out which partitions are served.
    private static readonly TimeSpan ServedEvery = TimeSpan.FromMilliseconds(100);

    private readonly FormatWriter _changes = new(256);

    // The partitions whose changes are told, and since which epoch this node has been their primary without a break.
    private readonly Dictionary<PartitionId, long> _told = [];
    private readonly HashSet<PartitionId> _touched = [];
    private int _count;
    private long _servedAt = long.MinValue / 2;
    private WatchReply? _last;
    private TaskCompletionSource? _news;

    /// <summary>The number of the newest reply.</summary>
    public long Number { get; private set; }

    /// <summary>When the process asked last.</summary>
    public long AskedAt { get; set; }

    /// <summary>Whether a reply is due at once.</summary>
    public bool HasNews => _count > 0 || Number == 0;

    /// <summary>Ends when there is a change.</summary>
    public Task News => (_news ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;

    /// <summary>Takes an entry that was applied.</summary>
    public void Add(Replica replica, in LogEntry entry)
    {
        if (!IsTold(replica))
            return;
        var partition = replica.Id;
        _touched.Add(partition);
        if (entry.Key.State != state || entry.Kind is not (EntryKind.Put or EntryKind.Remove or EntryKind.Expire))
            return;
        if (_changes.Written.Length + entry.Key.Bytes.Length + entry.Value.Length > BytesMax)
        {
            Clear();
            _told.Clear();
        }
        else
        {
            var value = withValues ? entry.Value : default;
            FeedFormat.Write(
                new FeedChange(hash.IndexOf(partition), entry.Kind, (long)entry.Id.Value, entry.Key.Bytes, value),
                _changes);
            _count++;
        }

        _news?.TrySetResult();
    }

    /// <summary>Returns the last reply again, if it was lost on its way.</summary>
    public WatchReply? FindLost(long number) => number == Number - 1 ? _last : null;

    /// <summary>Makes the next reply.</summary>
    public WatchReply Reply(ReplicaShard shard, Moment now)
    {
        var begun = ImmutableArray.CreateBuilder<(int, long, EntryId)>();
        var served = now.Ticks - _servedAt >= ServedEvery.Ticks ? FindServed(shard, now, begun) : null;
        var page = new FeedPage { Begun = begun.ToImmutable(), Heads = [.. TakeHeads(shard)], Served = served };
        _last = new WatchReply
        {
            Status = WatchReplyStatus.Done,
            Number = ++Number,
            Payload = FeedFormat.Write(page, _count, _changes.Written),
        };
        Clear();
        return _last;
    }

    private void Clear()
    {
        _changes.Clear();
        _touched.Clear();
        _count = 0;
        if (_news is { Task.IsCompleted: true })
            _news = null;
    }

    private IEnumerable<(int Index, EntryId Until)> TakeHeads(ReplicaShard shard)
    {
        foreach (var partition in _touched)
        {
            if (shard.Find(partition) is not { } replica || !IsTold(replica))
                continue;
            yield return (hash.IndexOf(partition), replica.Committed);
        }
    }

    private byte[] FindServed(
        ReplicaShard shard, Moment now, ImmutableArray<(int, long, EntryId)>.Builder begun)
    {
        _servedAt = now.Ticks;
        var served = new byte[FeedFormat.SizeOfServed(hash.PartitionCount)];
        for (var index = 0; index < hash.PartitionCount; index++)
        {
            var partition = new PartitionId(set.Value + index);
            if (shard.Find(partition) is not { IsPrimary: true } replica)
            {
                _told.Remove(partition);
                continue;
            }

            if (!shard.IsServing(replica, now))
                continue;
            served[index / 8] |= (byte)(1 << (index % 8));
            if (IsTold(replica))
                continue;
            _told[partition] = replica.PrimarySince;
            begun.Add((index, replica.Entry.Epoch.Value, replica.Committed));
        }

        return served;
    }

    // A node that lost the role and got it back has missed what others wrote meanwhile.
    private bool IsTold(Replica replica) =>
        _told.TryGetValue(replica.Id, out var since) && since == replica.PrimarySince;
}
