using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Logs;

/// <summary>The log of one partition: entries in ascending order of their ids, all after <see cref="Start"/>. What is
/// committed is applied at once, and its entries stay only for backups that lack them. Used under the shard's
/// lock.</summary>
/// <param name="memory">Where the entries lie.</param>
internal sealed class PartitionLog(ShardLog memory)
{
    private readonly List<(LoggedEntry Entry, LogChunk Chunk)> _entries = [];
    private int _first;

    /// <summary>The entry before the first one that the log still has.</summary>
    public EntryId Start { get; private set; }

    /// <summary>The newest entry; equal to <see cref="Start"/> if the log is empty.</summary>
    public EntryId Last { get; private set; }

    /// <summary>How many entries the log has.</summary>
    public int Count => _entries.Count - _first;

    /// <summary>How many bytes the entries take.</summary>
    public long Bytes { get; private set; }

    /// <summary>Forgets everything; the log goes on after an entry.</summary>
    public void Reset(EntryId start)
    {
        if (Bytes > 0)
            Drop(_entries.Count);
        (Start, Last) = (start, start);
    }

    /// <summary>Goes on after an entry that nobody needs, and forgets all before it.</summary>
    public void Skip(EntryId id)
    {
        Invariant.Check(id > Last, "I2", $"entry {id} cannot follow {Last}");
        Reset(id);
    }

    /// <summary>Adds an entry after the last one.</summary>
    /// <returns>The entry as the log keeps it.</returns>
    public LoggedEntry Append(in LogEntry entry)
    {
        var size = LogEntryCodec.SizeOf(entry);
        var bytes = memory.Take(size, out var chunk);
        LogEntryCodec.Write(entry, bytes.Span);
        return Add(new LoggedEntry(entry.Id, bytes), chunk);
    }

    /// <summary>Adds an entry of another node's log after the last one.</summary>
    public void Append(in LoggedEntry entry)
    {
        var bytes = memory.Take(entry.Bytes.Length, out var chunk);
        entry.Bytes.CopyTo(bytes);
        Add(new LoggedEntry(entry.Id, bytes), chunk);
    }

    /// <summary>Returns whether the log has an entry, or begins after it.</summary>
    public bool Contains(EntryId id) => id == Start || IndexOf(id) >= 0;

    /// <summary>Returns the entry at a position, counted from zero.</summary>
    public LoggedEntry At(int index) => _entries[_first + index].Entry;

    /// <summary>Returns the position of the first entry after an id.</summary>
    public int IndexAfter(EntryId id)
    {
        if (id >= Last)
            return Count;
        var (low, high) = (0, Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (At(middle).Id > id)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }

    /// <summary>Removes the entries after an id, which the log contains.</summary>
    public void CutAfter(EntryId id)
    {
        var keep = _first + IndexAfter(id);
        for (var index = _entries.Count - 1; index >= keep; index--)
            Release(index);
        _entries.RemoveRange(keep, _entries.Count - keep);
        Last = Count == 0 ? Start : At(Count - 1).Id;
    }

    /// <summary>Forgets the entries up to an id, but for the newest ones that the memory keeps.</summary>
    public void TrimTo(EntryId id)
    {
        if (id <= Start)
            return;
        var count = IndexAfter(id);
        if (memory.Keeps)
            count = CountOld(count);
        if (count == 0)
            return;
        var start = At(count - 1).Id;
        Drop(_first + count);
        Start = start;
    }

    private LoggedEntry Add(LoggedEntry entry, LogChunk chunk)
    {
        Invariant.Check(entry.Id > Last, "I2", $"entry {entry.Id} cannot follow {Last}");
        _entries.Add((entry, chunk));
        Bytes += entry.Bytes.Length;
        Last = entry.Id;
        return entry;
    }

    // Entries of a partition lie in chunks in the order of their ids.
    private int CountOld(int countMax)
    {
        var count = 0;
        while (count < countMax && !memory.IsKept(_entries[_first + count].Chunk))
            count++;
        return count;
    }

    private int IndexOf(EntryId id)
    {
        var index = IndexAfter(id) - 1;
        return index >= 0 && At(index).Id == id ? index : -1;
    }

    // Removes entries at the front lazily: the list moves only when half of it is empty.
    private void Drop(int first)
    {
        for (var index = _first; index < first; index++)
            Release(index);
        _first = first;
        if (_first * 2 < _entries.Count && _first < _entries.Count)
            return;
        _entries.RemoveRange(0, _first);
        _first = 0;
    }

    private void Release(int index)
    {
        var (entry, chunk) = _entries[index];
        Bytes -= entry.Bytes.Length;
        memory.Release(chunk, entry.Bytes.Length);
    }
}
