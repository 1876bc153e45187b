namespace Cluster.Pile;

/// <summary>The 8-byte handle of one object in one <see cref="LocalPile"/>. An immutable value; it stays valid, also
/// across in-place updates that grow the object, until the object is deleted or the pile purged or disposed, and is
/// never valid again after that.</summary>
/// <remarks>
/// <code>
/// bits 36..63  generation (28)  counter of the slot's lives XOR a keyed mask, as in the slot header
/// bits  0..35  granule    (36)  distance from the origin of the pile in units of 8 bytes: 512 GiB
/// </code>
/// The generation is on top so that one XOR and one shift compare it with a slot header. Granule 0 is never a slot, so
/// <c>default</c> is never valid. Pointers are deliberately not ordered: neither part says anything about age.
/// </remarks>
public readonly struct PilePointer : IEquatable<PilePointer>
{
    internal const int GenerationBits = 28;
    internal const int GranuleBits = 36;
    internal const int GranuleBytes = 8;
    internal const ulong GranuleMask = (1UL << GranuleBits) - 1;

    private readonly ulong _value;

    private PilePointer(ulong value) => _value = value;

    internal PilePointer(uint generation, long granule) =>
        _value = ((ulong)generation << GranuleBits) | (ulong)granule;

    /// <summary>Whether this is <c>default</c>, which is never the pointer of an object.</summary>
    public bool IsDefault => _value == 0;

    internal ulong Value => _value;

    internal uint Generation => (uint)(_value >> GranuleBits);

    internal long Granule => (long)(_value & GranuleMask);

    /// <summary>Returns the pointer as 64 bits, which can be stored or sent.</summary>
    public ulong ToUInt64() => _value;

    /// <summary>Returns the pointer with these 64 bits of <see cref="ToUInt64"/>. Any value is accepted; operations
    /// with a wrong one throw.</summary>
    public static PilePointer FromUInt64(ulong value) => new(value);

    /// <inheritdoc/>
    public bool Equals(PilePointer other) => _value == other._value;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PilePointer other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => _value.GetHashCode();

    /// <summary>Whether both pointers have the same 64 bits.</summary>
    public static bool operator ==(PilePointer left, PilePointer right) => left.Equals(right);

    /// <summary>Whether the pointers have different 64 bits.</summary>
    public static bool operator !=(PilePointer left, PilePointer right) => !left.Equals(right);

    /// <summary>Generation and granule in hexadecimal.</summary>
    public override string ToString() => $"{Generation:x7}:{Granule:x9}";
}
