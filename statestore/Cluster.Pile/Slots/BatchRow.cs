namespace Cluster.Pile.Slots;

/// <summary>How far a row of reads has come: which pointers are worked off, what is left of the destination, and how
/// far memory is fetched ahead. Owned by the method that declares it; mutable, do not copy.</summary>
internal ref struct BatchRow(ReadOnlySpan<PilePointer> pointers, Span<byte> destination, Span<int> lengths)
{
    public readonly ReadOnlySpan<PilePointer> Pointers = pointers;
    public readonly Span<int> Lengths = lengths;

    /// <summary>What is left for the objects that follow.</summary>
    public Span<byte> Destination = destination;

    /// <summary>Pointers worked off.</summary>
    public int Count;

    /// <summary>Pointers whose memory is on its way.</summary>
    public int Fetched;

    public readonly bool IsDone => Count == Pointers.Length;

    public readonly PilePointer Next => Pointers[Count];
}
