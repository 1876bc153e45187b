using Cluster.Pile.Slots;

namespace Cluster.Pile;

/// <summary>One scan over the objects of a pile, in the order of their addresses. Mutable, for one thread. It holds no
/// resource of the pile, so it need not be disposed.</summary>
public struct PileEnumerator
{
    private readonly LocalPile _pile;
    private SlotScan _scan;

    internal PileEnumerator(LocalPile pile, SlotScan scan)
    {
        _pile = pile;
        _scan = scan;
    }

    /// <summary>The object that the last <see cref="MoveNext"/> found.</summary>
    public PileObject Current { get; private set; }

    /// <summary>Moves to the next object. False: there are no more objects.</summary>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
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
