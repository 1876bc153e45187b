namespace Cluster.Slim.Types;

/// <summary>Names fields as their author wrote them.</summary>
internal static class MemberNames
{
    /// <summary>The property name for a compiler-made backing field, else the field name.</summary>
    public static string Of(FieldInfo field)
    {
        var name = field.Name;
        var end = name.StartsWith('<') ? name.IndexOf('>', StringComparison.Ordinal) : -1;
        return end > 1 ? name[1..end] : name;
    }
}
