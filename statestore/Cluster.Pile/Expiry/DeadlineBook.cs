using Cluster.Pile.Slabs;

namespace Cluster.Pile.Expiry;

/// <summary>Keeps for every block, and for the whole pile, a time before which no object in it expires, so that a sweep
/// visits only blocks with expired objects. Owned by one pile; its words change only by compare-and-swap.</summary>
/// <remarks>A sweep first forgets the time of a block, looks at the block, and then notes the deadlines that are left.
/// A writer notes a deadline after the object is stored. So a deadline that the sweep does not see is noted after the
/// sweep forgot.</remarks>
internal sealed class DeadlineBook(SlabTable table, DeadlineClock clock)
{
    private readonly SlabTable _table = table;
    private uint _earliest;

    public DeadlineClock Clock { get; } = clock;

    /// <summary>A time before which no object of the pile expires; zero when none has a deadline.</summary>
    public uint Earliest => Volatile.Read(ref _earliest);

    /// <summary>Notes the deadline of an object by its granule. Called inside an operation.</summary>
    public void Note(long granule, uint deadline)
    {
        var block = SlabTable.BlockOf(granule);
        var now = Clock.Now;

        // The object must be visible before this read. Otherwise a sweep could forget the time and miss the object.
        Interlocked.MemoryBarrier();
        var seen = _table.Deadline(block);
        while (Clock.Steps.IsBefore(deadline, seen, now) && !_table.TryReplaceDeadline(block, seen, deadline))
            seen = _table.Deadline(block);
        NoteEarliest(deadline, now);
    }

    /// <summary>Notes that an object of the pile may expire at a time.</summary>
    public void NoteEarliest(uint deadline, uint now)
    {
        for (var seen = Earliest; Clock.Steps.IsBefore(deadline, seen, now);)
        {
            var found = Interlocked.CompareExchange(ref _earliest, deadline, seen);
            if (found == seen)
                return;
            seen = found;
        }
    }

    /// <summary>The time noted for a block, or zero. Called inside an operation.</summary>
    public uint EarliestIn(long block) => _table.Deadline(block);

    /// <summary>Forgets the time of a block, before a sweep looks at the block.</summary>
    public void Forget(long block)
    {
        while (_table.Deadline(block) is var seen and not 0 && !_table.TryReplaceDeadline(block, seen, 0))
        {
            // Another thread has noted an earlier time.
        }
    }

    /// <summary>Forgets the time of the pile, before a sweep begins.</summary>
    public void ForgetEarliest() => Interlocked.Exchange(ref _earliest, 0);
}
