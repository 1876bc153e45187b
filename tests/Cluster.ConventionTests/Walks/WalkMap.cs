using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Walks;

/// <summary>Compares walks with the code of one project. Immutable.</summary>
internal sealed class WalkMap
{
    private readonly CSharpCompilation _compilation;
    private readonly Dictionary<string, (INamedTypeSymbol Symbol, string Folder)> _types = [];

    public WalkMap(RepositorySnapshot repository, string project)
    {
        SourceFile[] sources = [.. repository.Sources.Where(source => source.Project.Name == project)];
        _compilation = ProjectCompilation.Of(project, sources);
        foreach (var source in sources)
        {
            var model = _compilation.GetSemanticModel(source.Root.SyntaxTree);
            foreach (var declared in source.TopLevelTypes)
            {
                var symbol = (INamedTypeSymbol)model.GetDeclaredSymbol(declared)!;
                _types[symbol.ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat)] =
                    (symbol, string.Join('/', source.Folders));
            }
        }
    }

    /// <summary>Finds the problems of a walk: members that do not exist, and steps whose code does not name the next
    /// step.</summary>
    public IEnumerable<string> ProblemsOf(Walk walk)
    {
        for (var index = 0; index < walk.Steps.Count; index++)
        {
            var step = walk.Steps[index];
            if (MembersOf(step).Length == 0)
                yield return $"{walk.Name}: there is no {step}";
            else if (walk.ParentOf(index) is { } parent && !Names(parent, step))
                yield return $"{walk.Name}: {parent} does not name {step}";
        }
    }

    /// <summary>The types of a walk, each once.</summary>
    public static IReadOnlyList<string> TypesOf(Walk walk) => [.. walk.Steps.Select(step => step.Type).Distinct()];

    /// <summary>The number of times that a walk comes back to a folder it has left. A step does not count if the
    /// previous step or the calling step is in the same folder.</summary>
    public int ReturnsOf(Walk walk)
    {
        var seen = new HashSet<string>();
        var returns = 0;
        for (var index = 0; index < walk.Steps.Count; index++)
        {
            var folder = FolderOf(walk.Steps[index]);
            var isNew = seen.Add(folder);
            var isHere = index > 0 && FolderOf(walk.Steps[index - 1]) == folder;
            var isBack = walk.ParentOf(index) is { } parent && FolderOf(parent) == folder;
            if (!isNew && !isHere && !isBack)
                returns++;
        }

        return returns;
    }

    private string FolderOf(WalkStep step) => _types.TryGetValue(step.Type, out var type) ? type.Folder : "?";

    private ISymbol[] MembersOf(WalkStep step) =>
        _types.TryGetValue(step.Type, out var type) ? [.. type.Symbol.GetMembers(step.Member)] : [];

    private bool Names(WalkStep parent, WalkStep child)
    {
        var wanted = MembersOf(child);
        var childType = _types[child.Type].Symbol;
        return (
            from member in MembersOf(parent)
            from reference in member.DeclaringSyntaxReferences
            let body = reference.GetSyntax()
            let model = _compilation.GetSemanticModel(body.SyntaxTree)
            from name in body.DescendantNodes().OfType<SimpleNameSyntax>()
            let found = model.GetSymbolInfo(name).Symbol
            let symbol = (found as IMethodSymbol)?.ReducedFrom ?? found
            where symbol is not null
            select symbol).Any(symbol => wanted.Any(one => IsMeant(symbol, one, childType)));
    }

    // Accepts the member itself, and a member that it overrides or implements.
    private static bool IsMeant(ISymbol named, ISymbol wanted, INamedTypeSymbol type)
    {
        for (var one = wanted; one is not null; one = (one as IMethodSymbol)?.OverriddenMethod)
        {
            if (SymbolEqualityComparer.Default.Equals(named.OriginalDefinition, one.OriginalDefinition))
                return true;
        }

        return named.ContainingType?.TypeKind == TypeKind.Interface
            && SymbolEqualityComparer.Default.Equals(type.FindImplementationForInterfaceMember(named), wanted);
    }
}
