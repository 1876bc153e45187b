using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.Analyzers.Contracts;

/// <summary>Which interfaces of a compilation are contracts: those that its source registers or makes proxies of, and
/// those with an attribute of Glue on a member. Reads the syntax once, and only when somebody asks.
/// Thread-safe.</summary>
internal sealed class ContractNames(Compilation compilation)
{
    /// <summary>The generic methods whose type argument called TContract is a contract.</summary>
    public static readonly HashSet<string> Methods =
        ["AddService", "AddClient", "AddGlueClient", "CreateProxy", "Connect", "RequireAuthorization"];

    private static readonly ConditionalWeakTable<SyntaxTree, string[]> Known = new();

    private static readonly HashSet<string> Marks =
    [
        ContractRules.OneWay, "Cluster.Contracts.IdempotentAttribute", "Cluster.Contracts.ConstructorAttribute",
        "Cluster.Contracts.DestructorAttribute",
    ];

    private readonly ConcurrentDictionary<INamedTypeSymbol, bool> _contracts = new(SymbolEqualityComparer.Default);

    private readonly Lazy<HashSet<string>> _names =
        new(() => [.. compilation.SyntaxTrees.SelectMany(static tree => Known.GetValue(tree, Read))]);

    /// <summary>Whether calls of the interface may leave the process.</summary>
    public bool Contains(INamedTypeSymbol type) =>
        type.TypeKind == TypeKind.Interface && _contracts.GetOrAdd(type.OriginalDefinition, Decide);

    private bool Decide(INamedTypeSymbol type) =>
        _names.Value.Contains(type.Name)
        || type.GetMembers().Any(static member => member.GetAttributes().Any(
            static mark => mark.AttributeClass is { } kind && Marks.Contains(SymbolNames.Of(kind))));

    private static string[] Read(SyntaxTree tree) =>
    [
        .. tree.GetRoot().DescendantNodes().OfType<GenericNameSyntax>()
            .Where(static name => Methods.Contains(name.Identifier.ValueText))
            .Select(static name => NameOf(name.TypeArgumentList.Arguments[0]))
            .Distinct(),
    ];

    private static string NameOf(TypeSyntax type) => type switch
    {
        QualifiedNameSyntax qualified => qualified.Right.Identifier.ValueText,
        AliasQualifiedNameSyntax qualified => qualified.Name.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => "",
    };
}
