namespace Cluster.Pile;

/// <summary>A lazy typed handle: names an object of a pile, and builds it only when it is asked for. An immutable value
/// of 16 bytes without references, so it can be a field of objects that are themselves put into a pile, which links
/// them without making one graph of them.</summary>
/// <remarks>The handle does not own the object: copies of the handle name the same one, and none of them deletes it
/// unless told to. It finds its pile by a random number among the open piles of this process; in another process, or
/// once the pile is disposed, it names nothing.</remarks>
/// <typeparam name="T">What the object is got as.</typeparam>
public readonly struct Piled<T> : IEquatable<Piled<T>>
    where T : notnull
{
    private readonly ulong _identity;

    /// <summary>A handle for an object of a pile; whether there is one is asked when the handle is used.</summary>
    public Piled(LocalPile pile, PilePointer pointer)
    {
        ArgumentNullException.ThrowIfNull(pile);
        _identity = pile.Identity;
        Pointer = pointer;
    }

    /// <summary>The pointer within its pile.</summary>
    public PilePointer Pointer { get; }

    /// <summary>Whether this is <c>default</c>, which names nothing.</summary>
    public bool IsDefault => _identity == 0;

    /// <summary>A fresh copy of the object.</summary>
    /// <exception cref="InvalidPilePointerException">There is no such object (any more), or its pile is not open in
    /// this process.</exception>
    /// <exception cref="InvalidCastException">The object is of another type.</exception>
    public T Get() => Find().Get<T>(Pointer);

    /// <summary>Replaces the object in place; all handles and pointers stay valid.</summary>
    /// <exception cref="InvalidPilePointerException">There is no such object (any more), or its pile is not open in
    /// this process.</exception>
    /// <exception cref="PileException">As <see cref="LocalPile.Put{T}(PilePointer, T, PutHints)"/>; the old object is
    /// intact.</exception>
    public void Put(T value) => Find().Put(Pointer, value);

    /// <summary>Deletes the object; false when there is none (any more).</summary>
    public bool Delete() => PileDirectory.TryFind(_identity, out LocalPile? pile) && pile.Delete(Pointer);

    /// <inheritdoc/>
    public bool Equals(Piled<T> other) => _identity == other._identity && Pointer == other.Pointer;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Piled<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_identity, Pointer);

    /// <summary>Whether both name the same object of the same pile.</summary>
    public static bool operator ==(Piled<T> left, Piled<T> right) => left.Equals(right);

    /// <summary>Whether they name different objects.</summary>
    public static bool operator !=(Piled<T> left, Piled<T> right) => !left.Equals(right);

    /// <summary>The type and the pointer.</summary>
    public override string ToString() => $"{typeof(T).Name} {Pointer}";

    private LocalPile Find()
    {
        if (!PileDirectory.TryFind(_identity, out LocalPile? pile))
            PileErrors.PileNotOpen(Pointer);
        return pile;
    }
}
