using Cluster.Pile.Tests.Host;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>What one thread of a process did to its things one after the other, and what a snapshot of it has of them:
/// exactly what was there after some number of its changes. Owned by one loop; not thread-safe.</summary>
internal sealed class SavedLog
{
    // One before it begins and one when it is acknowledged.
    private const int RecordsPerChange = 2;

    private Dictionary<long, long> _state = [];

    /// <summary>Changes that were begun, in all rounds.</summary>
    public long Changes { get; private set; }

    /// <summary>Changes that the snapshots had, in all rounds.</summary>
    public long Saved { get; private set; }

    /// <summary>Finds the moment between two changes at which everything was as in the restored pile, not before all
    /// that was acknowledged in the first records of the log. What was found is where the next process
    /// begins.</summary>
    public void Check(IReadOnlyList<KillRecord> records, long acknowledgedRecords, Dictionary<long, long> found)
    {
        var differing = new HashSet<long>();
        foreach (var id in _state.Keys.Concat(found.Keys))
            Compare(id, found, differing);
        var acknowledged = acknowledgedRecords / RecordsPerChange * RecordsPerChange;
        var moment = acknowledged == 0 && differing.Count == 0 ? 0 : -1;
        long changes = 0;
        for (var i = 0; i < records.Count; i++)
        {
            var record = records[i];
            if (record.Step != KillStep.Begin)
                continue;
            changes++;
            var isRefused = i + 1 < records.Count && records[i + 1].Step == KillStep.Refused;
            if (!isRefused)
                Apply(record, found, differing);

            if (i + RecordsPerChange >= acknowledged && differing.Count == 0)
                moment = (int)changes;
        }

        Assert.True(
            moment >= 0,
            $"At no moment from record {acknowledgedRecords} of {records.Count} on was everything as restored; last differ "
                + string.Join(", ", differing.Take(5)));
        Changes += changes;
        Saved += moment;
        _state = found;
    }

    private void Apply(KillRecord record, Dictionary<long, long> found, HashSet<long> differing)
    {
        if (record.Version < 0)
            _state.Remove(record.Id);
        else
            _state[record.Id] = record.Version;
        Compare(record.Id, found, differing);
    }

    private void Compare(long id, Dictionary<long, long> found, HashSet<long> differing)
    {
        var isSame = found.TryGetValue(id, out var version)
            ? _state.TryGetValue(id, out var expected) && expected == version
            : !_state.ContainsKey(id) || KillTables.TableOf(id) == KillTable.Evicting;
        if (isSame)
            differing.Remove(id);
        else
            differing.Add(id);
    }
}
