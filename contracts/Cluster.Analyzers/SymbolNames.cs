using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers;

/// <summary>Compares types with names, because the types of the analyzed program are not loaded here. Names have the
/// form of the metadata: <c>System.Collections.Generic.List`1</c>. Stateless.</summary>
internal static class SymbolNames
{
    private const string ClusterPrefix = "Cluster.";

    /// <summary>The full name of a type, or of its definition.</summary>
    public static string Of(ITypeSymbol type)
    {
        var name = type.MetadataName;
        for (var outer = type.ContainingType; outer is not null; outer = outer.ContainingType)
            name = $"{outer.MetadataName}+{name}";
        return type.ContainingNamespace is { IsGlobalNamespace: false } space
            ? $"{space.ToDisplayString()}.{name}"
            : name;
    }

    public static bool Is(ITypeSymbol? type, string name) =>
        type is not null && type.MetadataName.Length > 0
        && name.EndsWith(type.MetadataName, StringComparison.Ordinal) && Of(type) == name;

    /// <summary>Whether the type is one of the library's own.</summary>
    public static bool IsOfCluster(ISymbol? symbol, string name) =>
        symbol is ITypeSymbol type && IsInCluster(type) && Is(type, name);

    /// <summary>Whether an assembly of the library declares the symbol.</summary>
    public static bool IsInCluster(ISymbol symbol) =>
        symbol.ContainingAssembly?.Name.StartsWith(ClusterPrefix, StringComparison.Ordinal) == true;

    /// <summary>The type, its base classes and its interfaces. For a type parameter, those of its
    /// constraints.</summary>
    public static IEnumerable<ITypeSymbol> WithBases(ITypeSymbol type)
    {
        if (type is ITypeParameterSymbol parameter)
            return parameter.ConstraintTypes.SelectMany(WithBases);
        return LevelsOf(type).Concat(type.AllInterfaces);
    }

    /// <summary>The type and its base classes.</summary>
    public static IEnumerable<ITypeSymbol> LevelsOf(ITypeSymbol type)
    {
        for (var level = type; level is not null; level = level.BaseType)
            yield return level;
    }

    public static bool HasAttribute(ISymbol symbol, string name) =>
        symbol.GetAttributes().Any(attribute => Is(attribute.AttributeClass, name));

    /// <summary>Whether a type is a task; its result is null if it has none.</summary>
    public static bool IsTask(ITypeSymbol type, out ITypeSymbol? result)
    {
        result = type is INamedTypeSymbol { Arity: 1 } named ? named.TypeArguments[0] : null;
        return type.Name is "Task" or "ValueTask" && Of(type) is "System.Threading.Tasks.Task"
            or "System.Threading.Tasks.Task`1" or "System.Threading.Tasks.ValueTask"
            or "System.Threading.Tasks.ValueTask`1";
    }

    public static bool IsToken(ITypeSymbol type) => Is(type, "System.Threading.CancellationToken");

    /// <summary>The name as the user writes it.</summary>
    public static string Show(ITypeSymbol type) =>
        type.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);
}
