using Cluster.Pile.Slots;

namespace Cluster.Pile;

/// <summary>One scan over the objects of a pile, in the order of their addresses. Mutable, for one thread; holds
/// nothing of the pile, so there is nothing to dispose.</summary>
public struct PileEnumerator
{
    private readonly LocalPile _pile;
    private SlotScan _scan;

    internal PileEnumerator(LocalPile pile, SlotScan scan)
    {
        _pile = pile;
        _scan = scan;
    }

    /// <summary>The object that the last <see cref="MoveNext"/> met.</summary>
    public PileObject Current { get; private set; }

    /// <summary>Goes to the next object; false at the end.</summary>
    /// <exception cref="ObjectDisposedException">The pile has ended.</exception>
    public bool MoveNext()
    {
        while (_scan.MoveNext(out var granule, out var header))
        {
            // Checked after the memory was read, because the memory may belong to another pile once this one is
            // disposed of.
            _pile.ThrowIfDisposed();
            var pointer = new PilePointer(header.Generation, granule);
            if (!_pile.TryDescribe(pointer, header, out var stored))
                continue;
            Current = new PileObject(_pile, pointer, stored);
            return true;
        }

        _pile.ThrowIfDisposed();
        return false;
    }
}
