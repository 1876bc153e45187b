namespace Cluster.Pile;

/// <summary>The objects of a pile, for <c>foreach</c>; each loop is a separate scan. An immutable value.</summary>
public readonly struct PileEnumerable
{
    private readonly LocalPile _pile;

    internal PileEnumerable(LocalPile pile) => _pile = pile;

    /// <summary>Begins a scan.</summary>
    /// <exception cref="ObjectDisposedException">The pile was disposed.</exception>
    public PileEnumerator GetEnumerator() => new(_pile, _pile.BeginScan());
}
