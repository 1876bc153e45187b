namespace Cluster.Pile;

/// <summary>A lazy typed handle: names an object of a pile, and builds it only in <see cref="Get"/>. An immutable value
/// of 16 bytes without references. Objects that are put into a pile may have handles as fields: a handle links two
/// objects without making them one graph.</summary>
/// <remarks>The handle does not own the object: copies of the handle name the same object, and only
/// <see cref="Delete"/> deletes it. The handle finds its pile by a random number among the open piles of this process.
/// In another process, or after the pile is disposed, it names no object.</remarks>
/// <typeparam name="T">The type in which the object is read.</typeparam>
public readonly struct Piled<T> : IEquatable<Piled<T>>
    where T : notnull
{
    private readonly ulong _identity;

    /// <summary>Creates a handle for an object of a pile. Whether the object exists is checked when the handle is
    /// used.</summary>
    public Piled(LocalPile pile, PilePointer pointer)
    {
        ArgumentNullException.ThrowIfNull(pile);
        _identity = pile.Identity;
        Pointer = pointer;
    }

    /// <summary>The pointer within its pile.</summary>
    public PilePointer Pointer { get; }

    /// <summary>Whether this is <c>default</c>, which names no object.</summary>
    public bool IsDefault => _identity == 0;

    /// <summary>Returns a new copy of the object.</summary>
    /// <exception cref="InvalidPilePointerException">The object does not exist (any more), or its pile is not open in
    /// this process.</exception>
    /// <exception cref="InvalidCastException">The object is of another type.</exception>
    public T Get() => Find().Get<T>(Pointer);

    /// <summary>Replaces the object in place; all handles and pointers stay valid.</summary>
    /// <exception cref="InvalidPilePointerException">The object does not exist (any more), or its pile is not open in
    /// this process.</exception>
    /// <exception cref="PileException">As <see cref="LocalPile.Put{T}(PilePointer, T, PutHints)"/>; the old object is
    /// intact.</exception>
    public void Put(T value) => Find().Put(Pointer, value);

    /// <summary>Deletes the object. False: the object does not exist (any more).</summary>
    public bool Delete() => PileDirectory.TryFind(_identity, out LocalPile? pile) && pile.Delete(Pointer);

    /// <inheritdoc/>
    public bool Equals(Piled<T> other) => _identity == other._identity && Pointer == other.Pointer;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Piled<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_identity, Pointer);

    /// <summary>Whether both handles name the same object of the same pile.</summary>
    public static bool operator ==(Piled<T> left, Piled<T> right) => left.Equals(right);

    /// <summary>Whether the handles name different objects.</summary>
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
