namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Decides whether a culture has the formats of the machine's culture of its name, or a program has changed
/// them. Stateless.</summary>
internal static class CultureFormats
{
    private static readonly PropertyInfo[] Properties =
    [
        .. PropertiesOf(typeof(NumberFormatInfo)), .. PropertiesOf(typeof(DateTimeFormatInfo)),
    ];

    public static bool AreThoseOf(CultureInfo predefined, CultureInfo culture) =>
        ReferenceEquals(predefined, culture)
        || (predefined.Equals(culture) && Array.TrueForAll(Properties, p => IsSame(p, predefined, culture)));

    private static IEnumerable<PropertyInfo> PropertiesOf(Type formats) => formats
        .GetProperties(BindingFlags.Instance | BindingFlags.Public)
        .Where(static p => p.Name != nameof(NumberFormatInfo.IsReadOnly));

    private static bool IsSame(PropertyInfo property, CultureInfo first, CultureInfo second)
    {
        var one = property.GetValue(FormatsOf(property, first));
        var other = property.GetValue(FormatsOf(property, second));
        return one is Calendar
            ? one.GetType() == other?.GetType()
            : StructuralComparisons.StructuralEqualityComparer.Equals(one, other);
    }

    private static object FormatsOf(PropertyInfo property, CultureInfo culture) =>
        property.DeclaringType == typeof(NumberFormatInfo) ? culture.NumberFormat : culture.DateTimeFormat;
}
