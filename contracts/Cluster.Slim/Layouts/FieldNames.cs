namespace Cluster.Slim.Layouts;

/// <summary>Converts names of fields between metadata, layout descriptions and error messages.</summary>
internal static class FieldNames
{
    private const string BackingSuffix = ">k__BackingField";

    public static string BackingOf(string property) => $"<{property}{BackingSuffix}";

    /// <summary>The name in a description. The backing field of an automatic property is <c>&lt;</c> and the name of
    /// the property.</summary>
    public static string Shorten(string name) =>
        name.StartsWith('<') && name.EndsWith(BackingSuffix, StringComparison.Ordinal)
            ? name[..^BackingSuffix.Length]
            : name;

    /// <summary>The name that the author gave the member: that of the property, or that of the field.</summary>
    /// <param name="shortened">The name in a description.</param>
    public static string MemberOf(string shortened) => shortened.TrimStart('<');
}
