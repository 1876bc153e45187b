using Microsoft.CodeAnalysis;

namespace Cluster.Analyzers.Travel;

/// <summary>Walks over the declared types of the fields below a root, as Slim's closed list does, and finds the first
/// type that Slim refuses. One for each compilation; answers are kept. Thread-safe.</summary>
internal sealed class TravelWalk(OptionsInUse options)
{
    private const int TypeCountMax = 10_000;

    private readonly ConcurrentDictionary<ITypeSymbol, TravelFinding?> _known = new(SymbolEqualityComparer.Default);

    /// <summary>Finds the place nearest to the root that Slim refuses; null if there is none.</summary>
    public TravelFinding? Find(ITypeSymbol root) => _known.GetOrAdd(root, Search);

    private TravelFinding? Search(ITypeSymbol root)
    {
        var seen = new HashSet<ITypeSymbol>(SymbolEqualityComparer.Default) { root };
        var waiting = new Queue<(ITypeSymbol Type, string Path)>();
        waiting.Enqueue((root, ""));
        while (waiting.Count > 0 && seen.Count < TypeCountMax)
        {
            var (type, path) = waiting.Dequeue();
            if (TypeRefusals.Find(type) is { } refusal && !options.MayAllow(refusal))
                return new TravelFinding(path, type, refusal);
            foreach (var part in PartsOf(type, path))
            {
                if (seen.Add(part.Type))
                    waiting.Enqueue(part);
            }
        }

        return null;
    }

    private IEnumerable<(ITypeSymbol Type, string Path)> PartsOf(ITypeSymbol type, string path)
    {
        if (type is IArrayTypeSymbol array)
            return [(array.ElementType, path + "[]")];
        if (type is not INamedTypeSymbol named || type.TypeKind is TypeKind.Enum or TypeKind.Delegate or TypeKind.Error)
            return [];
        if (TypeRefusals.IsFramework(type))
            return IsComparer(named) ? [] : named.TypeArguments.Select(argument => (argument, path + "[]"));

        // A codec may carry a type without its fields, and which types have one is known at run time only.
        return options.HasCodecs
            ? []
            : TypeRefusals.FieldsOf(type).Select(field => (field.Type, $"{path}.{NameOf(field)}"));
    }

    private static bool IsComparer(INamedTypeSymbol type) =>
        type.Name.EndsWith("Comparer", StringComparison.Ordinal);

    // A field for a parameter of a primary constructor is called <name>P.
    private static string NameOf(IFieldSymbol field) =>
        field.AssociatedSymbol?.Name ?? field.Name.TrimStart('<').Split('>')[0];
}
