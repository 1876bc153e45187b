using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Tests.Protocol.Replicas;

public sealed class HeadsTests
{
    private static readonly RequestId Request = new(Guid.NewGuid(), 5, 1);
    private readonly Heads _heads = new();

    [Fact]
    public void Add_TwoEntriesOfAKey_ShowsTheNewerUntilItIsCommitted()
    {
        var (first, second) = (Entry(1, EntryKind.Put), Entry(2, EntryKind.Remove));
        _heads.Add(first);
        _heads.Add(second);
        _heads.Committed(first);
        Assert.True(_heads.TryFind(first.Key, out var newest));
        Assert.Equal(second.Id, newest.Id);
        _heads.Committed(second);
        Assert.False(_heads.TryFind(first.Key, out _));
    }

    [Fact]
    public void Add_Request_IsFoundUntilItIsCommitted()
    {
        var remembered = Entry(1, EntryKind.Remember) with { Request = Request };
        _heads.Add(remembered);
        Assert.True(_heads.TryFind(Request with { LowWater = 4 }, out var at));
        Assert.Equal(remembered.Id, at);
        Assert.False(_heads.TryFind(remembered.Key, out _));
        _heads.Committed(remembered);
        Assert.False(_heads.TryFind(Request, out _));
    }

    [Fact]
    public void Clear_Everything_ShowsNothing()
    {
        _heads.Add(Entry(1, EntryKind.Put) with { Request = Request });
        _heads.Clear();
        Assert.False(_heads.TryFind(Request, out _));
        Assert.False(_heads.TryFind(Entry(1, EntryKind.Put).Key, out _));
    }

    private static LogEntry Entry(long counter, EntryKind kind) =>
        new(EntryId.Of(1, counter), kind, new StateKey(1, "key"u8.ToArray()));
}
