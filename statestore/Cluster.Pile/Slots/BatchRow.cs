namespace Cluster.Pile.Slots;

/// <summary>The progress of reading a row of objects: how many pointers are done, which part of the destination is
/// free, and how far ahead memory is fetched. Owned by the method that declares it; mutable, do not copy.</summary>
internal ref struct BatchRow(ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths)
{
    public readonly ReadOnlySpan<PilePointer> Pointers = pointers;
    public readonly Span<int> Lengths = lengths;

    /// <summary>The part of the destination that is left for the following objects.</summary>
    public Span<byte> Destination = destination;

    /// <summary>How many pointers are done.</summary>
    public int Count;

    /// <summary>How many pointers' memory is fetched or being fetched.</summary>
    public int Fetched;

    public readonly bool IsDone => Count == Pointers.Length;

    public readonly PilePointer Next => Pointers[Count];
}
