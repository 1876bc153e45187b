using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Analyzers.Travel;

/// <summary>Which options of Slim the source of a compilation names. What they allow is known at run time only, so
/// refusals that they might lift are not reported. Reads the tokens of the source once, and only when a refusal was
/// found. Thread-safe.</summary>
internal sealed class OptionsInUse(Compilation compilation)
{
    private static readonly ConditionalWeakTable<SyntaxTree, string[]> Known = new();

    private static readonly HashSet<string> Options =
        [TypeRefusals.CodecOption, TypeRefusals.MethodsOption, TypeRefusals.CallbacksOption];

    private readonly Lazy<HashSet<string>> _named =
        new(() => [.. compilation.SyntaxTrees.SelectMany(static tree => Known.GetValue(tree, Read))]);

    /// <summary>Whether some types have a codec of the user.</summary>
    public bool HasCodecs => _named.Value.Contains(TypeRefusals.CodecOption);

    /// <summary>Whether an option that the program uses may lift the refusal.</summary>
    public bool MayAllow(Refusal refusal) => refusal.Remedy is { } remedy && _named.Value.Contains(remedy);

    private static string[] Read(SyntaxTree tree) =>
    [
        .. tree.GetRoot().DescendantTokens()
            .Where(static token => token.IsKind(SyntaxKind.IdentifierToken) && Options.Contains(token.ValueText))
            .Select(static token => token.ValueText)
            .Distinct(),
    ];
}
