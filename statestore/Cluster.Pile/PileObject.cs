using Cluster.Pile.Objects;

namespace Cluster.Pile;

/// <summary>An object that <see cref="LocalPile.Enumerate"/> found, as it was at that moment; other threads may have
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

    /// <summary>The pointer that the put of the object returned. It stays the same when the object outgrows its first
    /// slot.</summary>
    public PilePointer Pointer { get; }

    /// <summary>The number of payload bytes of the object.</summary>
    public int Length { get; }

    /// <summary>The stored form of the object.</summary>
    public PileObjectKind Kind { get; }

    /// <summary>Copies the present stored bytes of the object, like <see cref="LocalPile.Read"/>. False: the object was
    /// deleted since the enumeration found it. Allocates nothing.</summary>
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

    /// <summary>An object graph, in a form that only its pile can read.</summary>
    Graph = 3,
}
