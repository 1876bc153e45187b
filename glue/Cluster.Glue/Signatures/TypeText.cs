namespace Cluster.Glue.Signatures;

/// <summary>Writes type names without assemblies and versions, equal on all nodes that share the contract.
/// Pure.</summary>
internal static class TypeText
{
    private static readonly Dictionary<Type, string> Today = [];

    public static string Of(Type type) => Of(type, Today);

    /// <summary>The name of a type with former names in place of some present ones.</summary>
    /// <param name="type">The type.</param>
    /// <param name="oldNames">The former names by type; of a generic type, by its definition.</param>
    public static string Of(Type type, Dictionary<Type, string> oldNames)
    {
        var text = new StringBuilder();
        Append(text, type, oldNames);
        return text.ToString();
    }

    private static void Append(StringBuilder text, Type type, Dictionary<Type, string> oldNames)
    {
        if (type.IsArray)
        {
            Append(text, type.GetElementType()!, oldNames);
            text.Append('[').Append(',', type.GetArrayRank() - 1).Append(']');
            return;
        }

        if (type.IsGenericMethodParameter)
        {
            // By position, so that a type parameter may be renamed.
            text.Append("!!").Append(type.GenericParameterPosition);
            return;
        }

        if (!type.IsConstructedGenericType)
        {
            text.Append(NameOf(type, oldNames));
            return;
        }

        text.Append(NameOf(type.GetGenericTypeDefinition(), oldNames)).Append('<');
        var arguments = type.GetGenericArguments();
        for (var i = 0; i < arguments.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            Append(text, arguments[i], oldNames);
        }

        text.Append('>');
    }

    private static string NameOf(Type type, Dictionary<Type, string> oldNames) =>
        oldNames.TryGetValue(type, out var old) ? old : type.FullName ?? type.Name;
}
