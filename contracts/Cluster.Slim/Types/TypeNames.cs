using Cluster.Slim.Errors;

namespace Cluster.Slim.Types;

/// <summary>The names of types on the wire: full name, and the simple assembly name for types outside the framework, so
/// that framework types may move between assemblies. Names are only ever compared, never resolved.</summary>
internal static class TypeNames
{
    public const int GenericNestingMax = 16;

    public static string Of(Type type) => Of(type, null, 0);

    /// <summary>The name of the type when renamed types had the given names.</summary>
    public static string Of(Type type, PastNames? past) => Of(type, past, 0);

    public static void ThrowTooNested() => Throw.FormatLimit(
        "GenericNesting", $"Generic types are nested deeper than {GenericNestingMax}.");

    private static string Of(Type type, PastNames? past, int nesting)
    {
        if (nesting > GenericNestingMax)
            ThrowTooNested();
        if (type.IsArray)
            return Of(type.GetElementType()!, past, nesting + 1) + SuffixOf(type);
        var definition = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        (var name, var assembly) = past is not null && past.TryGet(definition, out (string, string) old)
            ? old
            : NameOf(definition);
        if (type.IsGenericType)
            name += $"[{string.Join(";", type.GetGenericArguments().Select(a => Of(a, past, nesting + 1)))}]";
        return assembly is null ? name : $"{name}, {assembly}";
    }

    private static (string Name, string? Assembly) NameOf(Type definition) => (
        definition.FullName ?? definition.Name,
        TypeRules.IsFramework(definition) ? null : definition.Assembly.GetName().Name);

    private static string SuffixOf(Type array) =>
        array.IsSZArray ? "[]" : array.GetArrayRank() == 1 ? "[*]" : $"[{new string(',', array.GetArrayRank() - 1)}]";
}
