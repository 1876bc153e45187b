namespace Cluster.Pile.Slots;

/// <summary>
/// How far a row of reads has come: how many pointers are worked off, and what is left of the destination. Owned by the
/// method that declares it; mutable, do not copy.
/// </summary>
internal ref struct BatchRow(ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths)
{
    public readonly ReadOnlySpan<PilePointer> Pointers = pointers;
    public readonly Span<int> Lengths = lengths;

    /// <summary>What is left for the objects that follow.</summary>
    public Span<byte> Destination = destination;

    /// <summary>Pointers worked off.</summary>
    public int Count;

    public readonly bool IsDone => Count == Pointers.Length;

    public readonly PilePointer Next => Pointers[Count];
}
