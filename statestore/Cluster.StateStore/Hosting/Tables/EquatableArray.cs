namespace Cluster.StateStore.Hosting.Tables;

/// <summary>An immutable array that compares by its elements, so that records which hold one compare by
/// value.</summary>
/// <typeparam name="T">The element type.</typeparam>
/// <param name="items">The elements; the default value is an empty array.</param>
public readonly struct EquatableArray<T>(ImmutableArray<T> items) : IEquatable<EquatableArray<T>>, IReadOnlyList<T>
    where T : IEquatable<T>
{
    private readonly ImmutableArray<T> _items = items;

    /// <summary>The elements; never the uninitialised array.</summary>
    public ImmutableArray<T> Items => _items.IsDefault ? [] : _items;

    /// <inheritdoc />
    public int Count => Items.Length;

    /// <inheritdoc />
    public T this[int index] => Items[index];

    /// <inheritdoc />
    public bool Equals(EquatableArray<T> other) => Items.AsSpan().SequenceEqual(other.Items.AsSpan());

    /// <inheritdoc />
    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    /// <inheritdoc />
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var item in Items)
            hash.Add(item);
        return hash.ToHashCode();
    }

    /// <summary>The elements in brackets.</summary>
    public override string ToString() => $"[{string.Join(", ", Items)}]";

    /// <inheritdoc />
    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)Items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Compares by elements.</summary>
    public static bool operator ==(EquatableArray<T> left, EquatableArray<T> right) => left.Equals(right);

    /// <summary>Compares by elements.</summary>
    public static bool operator !=(EquatableArray<T> left, EquatableArray<T> right) => !left.Equals(right);
}
