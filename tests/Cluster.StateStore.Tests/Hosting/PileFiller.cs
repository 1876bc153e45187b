using Cluster.Pile;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>Fills a pile completely. Disposal frees the memory again.</summary>
internal sealed class PileFiller : IDisposable
{
    private readonly LocalPile _pile;
    private readonly List<PilePointer> _pointers = [];

    public PileFiller(LocalPile pile)
    {
        _pile = pile;
        foreach (var size in new[] { 1 << 20, 1 << 16, 1 << 12, 256, 16 })
        {
            while (TryAdd(size))
            {
            }
        }
    }

    public long Objects => _pointers.Count;

    public void Dispose()
    {
        foreach (var pointer in _pointers)
            _pile.Delete(pointer);
        _pointers.Clear();
    }

    private bool TryAdd(int size)
    {
        try
        {
            _pointers.Add(_pile.Put(new byte[size]));
            return true;
        }
        catch (PileFullException)
        {
            return false;
        }
    }
}
