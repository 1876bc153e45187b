namespace Cluster.Slim.Layouts;

/// <summary>Names of fields as descriptions and people see them.</summary>
internal static class FieldNames
{
    private const string BackingSuffix = ">k__BackingField";

    /// <summary>The name of the backing field of an automatic property.</summary>
    public static string BackingOf(string property) => $"<{property}{BackingSuffix}";

    /// <summary>The name in a description: for the backing field of a property <c>&lt;</c> and the property.</summary>
    public static string Shorten(string name) =>
        name.StartsWith('<') && name.EndsWith(BackingSuffix, StringComparison.Ordinal)
            ? name[..^BackingSuffix.Length]
            : name;

    /// <summary>The member as its author named it: the property, or the field itself.</summary>
    /// <param name="shortened">The name in a description.</param>
    public static string MemberOf(string shortened) => shortened.TrimStart('<');
}
