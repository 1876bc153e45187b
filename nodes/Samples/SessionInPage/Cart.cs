namespace SessionInPage;

/// <summary>What a visitor has put aside: any class. It needs no attributes.</summary>
public sealed class Cart
{
    /// <summary>How many of each product.</summary>
    public SortedDictionary<string, int> Counts { get; } = new(StringComparer.Ordinal);
}
