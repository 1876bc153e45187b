using Cluster.Pile.Objects;

namespace Cluster.Pile;

/// <summary>An object that <see cref="LocalPile.Enumerate"/> met, as it was at that moment; other threads may have
/// changed or deleted it since. An immutable value.</summary>
public readonly struct PileObject
{
    private readonly LocalPile _pile;

    internal PileObject(LocalPile pile, PilePointer pointer, StoredObject stored)
    {
        _pile = pile;
        Pointer = pointer;
        Length = stored.Length;
        Kind = (PileObjectKind)stored.Kind;
    }

    /// <summary>The pointer that the object was put under, also when it has outgrown its first place.</summary>
    public PilePointer Pointer { get; }

    /// <summary>Its payload bytes.</summary>
    public int Length { get; }

    /// <summary>In which form it is stored.</summary>
    public PileObjectKind Kind { get; }

    /// <summary>Copies the stored bytes of the object as they are now, like <see cref="LocalPile.Read"/>; false when it
    /// has been deleted since it was met. Allocates nothing.</summary>
    /// <exception cref="ArgumentException">The destination is too small, since the object may have grown; nothing was
    /// copied.</exception>
    public bool TryRead(Span<byte> destination, out int length) => _pile.TryRead(Pointer, destination, out length);
}

/// <summary>The stored form of an object, which defines the meaning of its bytes.</summary>
public enum PileObjectKind
{
    /// <summary>Bytes as they were put.</summary>
    Bytes = 0,

    /// <summary>A string, one byte per character.</summary>
    Latin1 = 1,

    /// <summary>A string, two bytes per character.</summary>
    Utf16 = 2,

    /// <summary>An object graph, in a form that only its pile knows.</summary>
    Graph = 3,
}
