using Cluster.Pile;

namespace Cluster.StateStore.Records;

/// <summary>The records of all partitions of a node, in the node's one pile. Adds no state. Callers make sure that a
/// record is not freed while they use its pointer.</summary>
internal sealed class RecordHeap(LocalPile pile)
{
    /// <summary>Stores a record. False: the pile is full, and nothing has changed.</summary>
    public bool TryAdd(ReadOnlySpan<byte> record, out PilePointer pointer)
    {
        try
        {
            pointer = pile.Put(record);
            return true;
        }
        catch (PileFullException)
        {
            pointer = default;
            return false;
        }
    }

    /// <summary>Replaces a record and returns its new pointer. False: the pile is full, and the old record is
    /// unchanged. A record that grew is stored in a new place, because an in-place put would leave a link that slows
    /// each later read.</summary>
    public bool TryReplace(ref PilePointer pointer, ReadOnlySpan<byte> record)
    {
        if (record.Length <= pile.SizeOf(pointer))
        {
            pile.Put(pointer, record);
            return true;
        }

        if (!TryAdd(record, out var added))
            return false;
        pile.Delete(pointer);
        pointer = added;
        return true;
    }

    public int SizeOf(PilePointer pointer) => pile.SizeOf(pointer);

    public RecordBuffer Read(PilePointer pointer)
    {
        var buffer = new RecordBuffer(pile.SizeOf(pointer));
        var length = pile.Read(pointer, buffer.GetSpan());
        buffer.Advance(length);
        return buffer;
    }

    public void Free(PilePointer pointer) => pile.Delete(pointer);
}
