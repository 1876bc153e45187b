using Cluster.Pile.Tests.Host;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>What a process that was killed had acknowledged, from its logs, and what a pile that takes its place has to
/// hold accordingly. Owned by one loop; not thread-safe.</summary>
internal sealed class KillModel
{
    private readonly Dictionary<long, (long Version, ulong Pointer)> _live = [];
    private readonly Dictionary<long, KillRecord> _pending = [];

    /// <summary>The objects that were acknowledged.</summary>
    public int Count => _live.Count;

    /// <summary>How many changes were acknowledged in all rounds.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>How many changes were begun and not acknowledged, in all rounds.</summary>
    public long Unacknowledged { get; private set; }

    /// <summary>Takes in the log of one thread of a process that is dead.</summary>
    public void Read(string log)
    {
        foreach (var record in KillRecord.ReadAll(log))
        {
            if (record.Step == KillStep.Begin)
            {
                _pending.Add(record.Id, record);
                continue;
            }

            _pending.Remove(record.Id);
            Acknowledged++;
            if (record.Step == KillStep.Stored)
                _live[record.Id] = (record.Version, record.Place);
            else if (record.Step == KillStep.Deleted)
                _live.Remove(record.Id);
        }

        Unacknowledged += _pending.Count;
    }

    /// <summary>Every acknowledged object is there, whole, of its version, under its pointer; one that was being
    /// changed is as before or as after; nothing else is there, but what belongs to entries of tables. What was found
    /// is the truth from now on.</summary>
    public void Check(LocalPile pile, IReadOnlySet<PilePointer> owned)
    {
        var found = new Dictionary<long, (long Version, ulong Pointer)>();
        foreach (var item in pile.Enumerate())
        {
            if (owned.Contains(item.Pointer))
                continue;
            var isWhole = KillPayload.TryParse(pile.GetBytes(item.Pointer), out var id, out var version);
            Assert.True(isWhole, $"The object at {item.Pointer} is torn.");
            Assert.True(found.TryAdd(id, (version, item.Pointer.ToUInt64())), $"Object {id} is there twice.");
            Assert.True(IsExpected(id, version, item.Pointer.ToUInt64()), $"Object {id}, version {version}, is a phantom.");
        }

        foreach (var (id, expected) in _live)
        {
            var isDeleted = _pending.TryGetValue(id, out var pending) && pending.Version < 0;
            Assert.True(isDeleted || found.ContainsKey(id), $"Object {id} {expected} is lost.");
        }

        _live.Clear();
        foreach (var (id, item) in found)
            _live.Add(id, item);
        _pending.Clear();
    }

    private bool IsExpected(long id, long version, ulong pointer)
    {
        var isPending = _pending.TryGetValue(id, out var pending);
        if (!_live.TryGetValue(id, out var expected))
            return isPending && pending.Version == version;
        var isVersion = expected.Version == version || (isPending && pending.Version == version);
        return isVersion && expected.Pointer == pointer;
    }
}
