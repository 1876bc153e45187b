namespace Cluster.Testing.Linearizability.Lists;

/// <summary>A list as its length and a hash of its items in order. Two different lists are equal once in 2^128.
/// Immutable.</summary>
/// <param name="Count">The number of items.</param>
/// <param name="Hash">The hash.</param>
public readonly record struct AppendedList(int Count, UInt128 Hash)
{
    // An odd number without a pattern in its bits.
    private static readonly UInt128 Factor = new(0x9E37_79B9_7F4A_7C15, 0xF39C_C060_5CED_C835);

    /// <summary>Makes the list of some items.</summary>
    /// <param name="items">The items, the first one first.</param>
    public static AppendedList Of(params ReadOnlySpan<long> items)
    {
        var list = default(AppendedList);
        foreach (var item in items)
            list = list.Add(item);
        return list;
    }

    /// <summary>Returns the list with one item more.</summary>
    /// <param name="item">The item.</param>
    public AppendedList Add(long item)
    {
        var mixed = (Hash + (UInt128)(ulong)item + 1) * Factor;
        return new AppendedList(Count + 1, mixed ^ (mixed >> 67));
    }

    /// <inheritdoc />
    public override string ToString() => $"a list of {Count}";
}
