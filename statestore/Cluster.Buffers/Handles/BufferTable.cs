using Cluster.Buffers.Errors;
using Cluster.Pile;
using Cluster.Pile.Hosting;

namespace Cluster.Buffers.Handles;

/// <summary>All buffers of the process by handle, so that a handle is 8 bytes without references and works in any
/// struct. The generation of an entry rises with every new buffer, so a handle of an earlier one is never accepted.
/// Entries change by compare-and-swap of their state; a lock guards the list of vacant ones. Never shrinks.</summary>
internal static unsafe class BufferTable
{
    /// <summary>The most buffers at a time.</summary>
    public const int BuffersMax = (ChunksMax << ChunkShift) - 1;

    private const int ChunkShift = 16;
    private const int ChunkMask = (1 << ChunkShift) - 1;
    private const int ChunksMax = 256;

    private static readonly nint[] Chunks = new nint[ChunksMax];
    private static readonly Lock Gate = new();
    private static int _vacantFirst;

    // Entry 0 stays unused, because it ends the list of vacant entries.
    private static int _entriesUsed = 1;

    /// <summary>Creates a handle for memory that no other buffer uses; throws when there are too many
    /// buffers.</summary>
    public static ulong Add(nint address, long length, int heap)
    {
        lock (Gate)
        {
            var index = TakeVacantNeedsLock();
            var entry = EntryAt(index);
            var generation = new BufferWord(entry->State).Generation;
            entry->Address = address;
            entry->Length = length;
            entry->Heap = heap;
            Volatile.Write(ref entry->State, BufferWord.LiveWithout(generation).Word);
            return BufferWord.Handle(generation, index);
        }
    }

    /// <summary>The memory of a live buffer. False: the handle names none.</summary>
    public static bool TryFind(ulong handle, out BufferAccess access)
    {
        if (Find(handle) is var entry && entry != null)
        {
            var (address, length) = (entry->Address, entry->Length);
            Volatile.ReadBarrier();

            // Read after the fields: the entry may have got another buffer in between.
            if (new BufferWord(Volatile.Read(ref entry->State)).IsLifeOf(handle))
            {
                access = new BufferAccess(entry, handle, address, length);
                return true;
            }
        }

        access = default;
        return false;
    }

    /// <summary>Adds a lease. False: the handle names no live buffer.</summary>
    public static bool TryRetain(ulong handle)
    {
        var entry = Find(handle);
        while (entry != null)
        {
            var word = new BufferWord(Volatile.Read(ref entry->State));
            if (!word.IsLifeOf(handle))
                return false;
            if (word.HasMostLeases)
                BufferErrors.TooManyLeases();
            if (TrySwap(entry, word, new BufferWord(word.Word + BufferWord.OneLease)))
                return true;
        }

        return false;
    }

    /// <summary>Releases a lease.</summary>
    public static BufferStep Release(ulong handle)
    {
        var entry = Find(handle);
        while (entry != null)
        {
            var word = new BufferWord(Volatile.Read(ref entry->State));
            if (!word.IsLifeOf(handle))
                return BufferStep.Stale;
            if (!word.HasLeases)
                return BufferStep.NotLeased;
            if (TrySwap(entry, word, new BufferWord(word.Word - BufferWord.OneLease)))
                return BufferStep.Done;
        }

        return BufferStep.Stale;
    }

    /// <summary>Ends a buffer without leases; returns <see cref="BufferStep.Leased"/> when it has leases.</summary>
    public static BufferStep Free(ulong handle, out BufferEntry ended)
    {
        ended = default;
        var entry = Find(handle);
        while (entry != null)
        {
            var word = new BufferWord(Volatile.Read(ref entry->State));
            if (!word.IsLifeOf(handle))
                return BufferStep.Stale;
            if (word.HasLeases)
                return BufferStep.Leased;
            if (TryFree(entry, word, out ended))
                return BufferStep.Freed;
        }

        return BufferStep.Stale;
    }

    /// <summary>Marks a live buffer as one whose owner was collected. False: it has ended.</summary>
    public static bool TryMarkForgotten(ulong handle)
    {
        var entry = Find(handle);
        while (entry != null)
        {
            var word = new BufferWord(Volatile.Read(ref entry->State));
            if (!word.IsLifeOf(handle))
                return false;
            if (TrySwap(entry, word, new BufferWord(word.Word | BufferWord.ForgottenBit)))
                return true;
        }

        return false;
    }

    /// <summary>Ends a live buffer of a heap, leased or not, and returns its handle; 0 when the heap has
    /// none.</summary>
    public static ulong FreeAny(int heap, ref int index, out BufferEntry ended)
    {
        for (; index < Volatile.Read(ref _entriesUsed); index++)
        {
            var entry = EntryAt(index);
            var word = new BufferWord(Volatile.Read(ref entry->State));
            while (word.IsLifeOf(word.Word) && entry->Heap == heap)
            {
                if (TryFree(entry, word, out ended))
                    return BufferWord.Handle(word.Generation, index);
                word = new BufferWord(Volatile.Read(ref entry->State));
            }
        }

        ended = default;
        return 0;
    }

    /// <summary>Makes the entry of an ended buffer vacant, once its memory is no longer needed.</summary>
    public static void Recycle(ulong handle)
    {
        var index = BufferWord.IndexOf(handle);
        var entry = EntryAt(index);
        var generation = new BufferWord(entry->State).Generation;
        if (generation == BufferWord.GenerationMax)
            return;
        lock (Gate)
        {
            Volatile.Write(ref entry->State, BufferWord.Vacant(generation + 1).Word);
            entry->Next = _vacantFirst;
            _vacantFirst = index;
        }
    }

    private static bool TryFree(BufferEntry* entry, BufferWord word, out BufferEntry ended)
    {
        ended = *entry;
        return TrySwap(entry, word, BufferWord.Vacant(word.Generation));
    }

    private static bool TrySwap(BufferEntry* entry, BufferWord seen, BufferWord word) =>
        Interlocked.CompareExchange(ref entry->State, word.Word, seen.Word) == seen.Word;

    private static BufferEntry* Find(ulong handle)
    {
        var index = BufferWord.IndexOf(handle);
        return index >= BuffersMax || Volatile.Read(ref Chunks[index >> ChunkShift]) == 0 ? null : EntryAt(index);
    }

    private static BufferEntry* EntryAt(int index) =>
        (BufferEntry*)Chunks[index >> ChunkShift] + (index & ChunkMask);

    private static int TakeVacantNeedsLock()
    {
        if (_vacantFirst != 0)
        {
            var index = _vacantFirst;
            _vacantFirst = EntryAt(index)->Next;
            return index;
        }

        if (_entriesUsed >= BuffersMax)
            throw new PileFullException(
                $"A process has at most {BuffersMax:N0} buffers at a time, and all are in use. Free some.", 0, 0);
        if (Chunks[_entriesUsed >> ChunkShift] == 0)
        {
            if (!SystemMemory.OfThisProcess.TryRent(BufferEntry.Bytes << ChunkShift, out var range)
                || !range.TryCommit(0, range.Length))
                throw new InsufficientMemoryException("The system gave no memory for the table of buffers.");
            range.AdviseSmallPages(0, range.Length);
            Volatile.Write(ref Chunks[_entriesUsed >> ChunkShift], range.Address);
        }

        EntryAt(_entriesUsed)->State = BufferWord.Vacant(1).Word;
        Volatile.Write(ref _entriesUsed, _entriesUsed + 1);
        return _entriesUsed - 1;
    }
}
