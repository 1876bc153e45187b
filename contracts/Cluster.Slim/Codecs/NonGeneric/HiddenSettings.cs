using System.Collections.Specialized;
using Cluster.Slim.Errors;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Reads the settings of framework collections and comparers that have no getter, each from its private field.
/// No other code reads such fields of collections and comparers. Before the first use in a process, each field is tried
/// on a new collection. If the framework has changed a field, its collection is refused, so the setting cannot be lost.
/// Immutable.</summary>
internal static class HiddenSettings
{
    private static readonly Dictionary<Type, bool> Usable = new()
    {
        [typeof(SortedList)] = Passes(static () => SortedListComparer(new SortedList(StringComparer.Ordinal))),
        [typeof(ListDictionary)] = Passes(static () => ListComparer(new ListDictionary(StringComparer.Ordinal))),
        [typeof(OrderedDictionary)] =
            Passes(static () => OrderedComparer(new OrderedDictionary(StringComparer.Ordinal))),
        [typeof(NameValueCollection)] =
            Passes(static () => NamesComparer(new NameValueCollection(StringComparer.Ordinal))),
        [typeof(HybridDictionary)] = Passes(static () =>
            IgnoresCase(new HybridDictionary(true)) && !IgnoresCase(new HybridDictionary(false))
                ? StringComparer.Ordinal
                : null),
        [typeof(Comparer)] = Passes(static () => Probe(CultureOf(new Comparer(CultureInfo.InvariantCulture)))),
        [typeof(CaseInsensitiveComparer)] = Passes(static () =>
            Probe(CultureOf(new CaseInsensitiveComparer(CultureInfo.InvariantCulture)))),
    };

    public static IComparer? ComparerOf(SortedList list) =>
        IsUsable(typeof(SortedList)) ? SortedListComparer(list) : null;

    public static IComparer? ComparerOf(ListDictionary map) =>
        IsUsable(typeof(ListDictionary)) ? ListComparer(map) : null;

    public static IEqualityComparer? ComparerOf(OrderedDictionary map) =>
        IsUsable(typeof(OrderedDictionary)) ? OrderedComparer(map) : null;

    public static IEqualityComparer? ComparerOf(NameValueCollection names) =>
        IsUsable(typeof(NameValueCollection)) ? NamesComparer(names) : null;

    public static bool IsCaseIgnoredBy(HybridDictionary map) =>
        IsUsable(typeof(HybridDictionary)) && IgnoresCase(map);

    public static CompareInfo? CompareInfoOf(Comparer comparer) =>
        IsUsable(typeof(Comparer)) ? CultureOf(comparer) : null;

    public static CompareInfo? CompareInfoOf(CaseInsensitiveComparer comparer) =>
        IsUsable(typeof(CaseInsensitiveComparer)) ? CultureOf(comparer) : null;

    /// <summary>Whether the field exists and holds the expected setting.</summary>
    public static bool IsFound(Type collection) => Usable[collection];

    private static bool IsUsable(Type collection) => IsFound(collection)
        ? true
        : throw Throw.NotSupported(collection, "this version of the framework hides one of its settings.");

    private static StringComparer? Probe(CompareInfo? found) =>
        ReferenceEquals(found, CultureInfo.InvariantCulture.CompareInfo) ? StringComparer.Ordinal : null;

    private static bool Passes(Func<object?> probe)
    {
        try
        {
            return ReferenceEquals(probe(), StringComparer.Ordinal);
        }
        catch (MissingFieldException)
        {
            return false;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "comparer")]
    private static extern ref IComparer? SortedListComparer(SortedList list);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "comparer")]
    private static extern ref readonly IComparer? ListComparer(ListDictionary map);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_comparer")]
    private static extern ref readonly IEqualityComparer? OrderedComparer(OrderedDictionary map);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_keyComparer")]
    private static extern ref readonly IEqualityComparer? NamesComparer(NameObjectCollectionBase names);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "caseInsensitive")]
    private static extern ref bool IgnoresCase(HybridDictionary map);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_compareInfo")]
    private static extern ref readonly CompareInfo CultureOf(Comparer comparer);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_compareInfo")]
    private static extern ref readonly CompareInfo CultureOf(CaseInsensitiveComparer comparer);
}
