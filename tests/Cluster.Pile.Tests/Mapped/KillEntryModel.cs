using Cluster.Pile.Tests.Host;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>What a process that was killed had acknowledged about cells and cache entries, and what the tables of a
/// pile that takes its place have to hold accordingly. Owned by one loop; not thread-safe.</summary>
internal sealed class KillEntryModel
{
    private readonly Dictionary<long, long> _live = [];
    private readonly Dictionary<long, long> _pending = [];

    /// <summary>The entries that were acknowledged.</summary>
    public int Count => _live.Count;

    /// <summary>How many changes were acknowledged in all rounds.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>Takes in the log of one thread of a process that is dead.</summary>
    public void Read(string log)
    {
        foreach (var record in KillRecord.ReadAll(log))
        {
            if (record.Step == KillStep.Begin)
            {
                _pending.Add(record.Id, record.Version);
                continue;
            }

            _pending.Remove(record.Id);
            Acknowledged++;
            if (record.Step == KillStep.Stored)
                _live[record.Id] = record.Version;
            else if (record.Step == KillStep.Deleted)
                _live.Remove(record.Id);
        }
    }

    /// <summary>Every acknowledged entry is there, whole, of its version; one that was being changed is as before or as
    /// after; nothing else is there, but that entries of the speculative table may be gone. Gives the objects that
    /// belong to entries. What was found is the truth from now on.</summary>
    public HashSet<PilePointer> Check(LocalPile pile)
    {
        var found = new Dictionary<long, long>();
        var owned = new HashSet<PilePointer>();
        foreach (var (id, version, pointer) in new KillTables(pile).All())
        {
            Assert.True(found.TryAdd(id, version), $"{Name(id)} is there twice.");
            var isExpected = (_live.TryGetValue(id, out var expected) && expected == version)
                || (_pending.TryGetValue(id, out var pending) && pending == version);
            Assert.True(isExpected, $"{Name(id)}, version {version}, is a phantom; {expected} is expected.");
            if (pointer != default)
                Assert.True(owned.Add(pointer), $"{Name(id)} owns an object of another one.");
        }

        foreach (var (id, version) in _live)
        {
            var mayBeGone = KillTables.TableOf(id) == KillTable.Evicting || _pending.GetValueOrDefault(id) < 0;
            Assert.True(mayBeGone || found.ContainsKey(id), $"{Name(id)}, version {version}, is lost.");
        }

        AddLeftOver(pile, owned);
        _live.Clear();
        foreach (var (id, version) in found)
            _live.Add(id, version);
        _pending.Clear();
        return owned;
    }

    // The process may have died before it gave an object to its entry.
    private void AddLeftOver(LocalPile pile, HashSet<PilePointer> owned)
    {
        foreach (var item in pile.Enumerate())
        {
            var isWhole = KillPayload.TryParse(pile.GetBytes(item.Pointer), out var id, out var version);
            if (isWhole && _pending.TryGetValue(id, out var pending) && pending == version)
                owned.Add(item.Pointer);
        }
    }

    private static string Name(long id) => $"Entry {id} of {KillTables.TableOf(id)}";
}
