using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Knots;

/// <summary>The references between the types of one project, from the compiler's semantic model. Only outermost types
/// count; a nested type counts as its outermost one. A type refers to another one if a name in its source binds to that
/// type or to a member of it. Generated files are left out. Immutable.</summary>
internal sealed class ReferenceGraph
{
    // Several rules ask for the same graphs, and to bind all names of a project takes a second.
    private static readonly ConcurrentDictionary<string, Lazy<ReferenceGraph>> Current = new();

    private ReferenceGraph(
        IReadOnlyDictionary<string, string> folders, IReadOnlyDictionary<(string From, string To), int> sites)
    {
        Folders = folders;
        Sites = sites;
    }

    /// <summary>The folder of each type, relative to its project; empty for the project's root.</summary>
    public IReadOnlyDictionary<string, string> Folders { get; }

    /// <summary>The number of names in the source of one type that bind to another type.</summary>
    public IReadOnlyDictionary<(string From, string To), int> Sites { get; }

    /// <summary>Reads the production code of one project of this repository.</summary>
    /// <param name="project">The project's name.</param>
    public static ReferenceGraph Of(string project) => Current.GetOrAdd(
        project, static name => new Lazy<ReferenceGraph>(() => Of(RepositorySnapshot.Current, name))).Value;

    /// <summary>Reads the production code of one project.</summary>
    /// <param name="repository">The repository that contains the project.</param>
    /// <param name="project">The project's name.</param>
    public static ReferenceGraph Of(RepositorySnapshot repository, string project)
    {
        SourceFile[] sources = [.. repository.Sources.Where(source => source.Project.Name == project)];
        var compilation = ProjectCompilation.Of(project, sources);
        var folders = new Dictionary<string, string>();
        var sites = new Dictionary<(string From, string To), int>();
        var names = new Dictionary<INamedTypeSymbol, string>(SymbolEqualityComparer.Default);
        foreach (var source in sources)
        {
            var model = compilation.GetSemanticModel(source.Root.SyntaxTree);
            foreach (var declared in source.TopLevelTypes)
            {
                var from = NameOf((INamedTypeSymbol)model.GetDeclaredSymbol(declared)!);
                folders[from] = string.Join('/', source.Folders);
                foreach (var type in ReferencesOf(declared, model, compilation))
                {
                    // A type is named many times, and its name takes long to make.
                    if (!names.TryGetValue(type, out var to))
                        names.Add(type, to = NameOf(type));
                    if (to != from)
                        sites[(from, to)] = sites.GetValueOrDefault((from, to)) + 1;
                }
            }
        }

        return new ReferenceGraph(folders, sites);
    }

    private static IEnumerable<INamedTypeSymbol> ReferencesOf(
        MemberDeclarationSyntax declared, SemanticModel model, Compilation compilation) =>
        from name in declared.DescendantNodes().OfType<SimpleNameSyntax>()
        where !name.IsVar
        let type = OutermostOf(model.GetSymbolInfo(name).Symbol)
        where type is not null && SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly)
        select type;

    private static INamedTypeSymbol? OutermostOf(ISymbol? symbol)
    {
        var type = symbol switch
        {
            INamedTypeSymbol named => named,
            IMethodSymbol { ReducedFrom: { } extension } => extension.ContainingType,
            _ => symbol is ILocalSymbol or IParameterSymbol or ITypeParameterSymbol ? null : symbol?.ContainingType,
        };
        while (type?.ContainingType is { } outer)
            type = outer;

        return type?.OriginalDefinition;
    }

    private static string NameOf(INamedTypeSymbol type) => type.ToDisplayString();
}
