using Cluster.Slim.Errors;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>All rules of Slim that refuse something, found in its source: one for each place that makes an exception
/// through the class of throw helpers. A rule added tomorrow is found without being registered anywhere.</summary>
internal static class RefusalRules
{
    private const string HelperFile = "Throw.cs";

    // A helper of its own, which hands on the place that called it.
    private const string DepthHelper = "ThrowTooDeep";
    private const string DepthHelperFile = "ObjectTags.cs";

    private const string OnlyWithoutDynamicCode = "only without dynamic code: ";

    /// <summary>Every rule, with the member it stands in and its number among the rules of the member, from
    /// 1.</summary>
    public static IReadOnlyDictionary<RefusalSite, string> All { get; } =
        Sources().SelectMany(RulesIn).ToDictionary(static r => r.Site, static r => r.Rule);

    /// <summary>The rules that neither a message nor a graph of the corpus breaks, from a list next to this file; each
    /// line excuses one rule and has its reason.</summary>
    public static IReadOnlySet<string> Unbroken { get; } = ReadList();

    /// <summary>What the list calls a rule; lines of the source move too often to be its name.</summary>
    public static string NameOf(RefusalSite site) => $"{site.File} {All[site]}";

    /// <summary>The places that make an exception of Slim without the helpers, so that it has no rule.</summary>
    public static IEnumerable<string> ExceptionsWithoutRule() =>
        from path in Sources()
        where Path.GetFileName(path) != HelperFile
        from creation in Nodes<ObjectCreationExpressionSyntax>(path)
        where creation.Type.ToString() is ['S', 'l', 'i', 'm', ..] name
            && name.EndsWith("Exception", StringComparison.Ordinal)
        select $"{Path.GetFileName(path)}: {MemberOf(creation)}";

    private static IEnumerable<(RefusalSite Site, string Rule)> RulesIn(string path)
    {
        Dictionary<string, int> counts = [];
        foreach (var call in Nodes<InvocationExpressionSyntax>(path).Where(IsRule))
        {
            var member = MemberOf(call);
            if (member == DepthHelper && Path.GetFileName(path) == DepthHelperFile)
                continue;
            counts[member] = counts.GetValueOrDefault(member) + 1;
            var line = call.ArgumentList.OpenParenToken.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
            yield return (new RefusalSite(Path.GetFileName(path), line), $"{member} {counts[member]}");
        }
    }

    private static bool IsRule(InvocationExpressionSyntax call) =>
        call.Expression is MemberAccessExpressionSyntax access
        && (access.Expression.ToString() == "Throw" || access.Name.ToString() == DepthHelper);

    private static string MemberOf(CSharpSyntaxNode node)
    {
        var member = node.FirstAncestorOrSelf<MemberDeclarationSyntax>();
        return member switch
        {
            MethodDeclarationSyntax method => method.Identifier.Text,
            PropertyDeclarationSyntax property => property.Identifier.Text,
            ConstructorDeclarationSyntax => "constructor",
            _ => "",
        };
    }

    private static IEnumerable<T> Nodes<T>(string path)
        where T : CSharpSyntaxNode =>
        CSharpSyntaxTree.ParseText(File.ReadAllText(path)).GetRoot().DescendantNodes().OfType<T>();

    private static HashSet<string> ReadList([CallerFilePath] string path = "")
    {
        string[][] lines =
        [
            .. File.ReadLines(Path.Combine(Path.GetDirectoryName(path)!, "rules-not-broken.txt"))
                .Where(static line => line.Length > 0 && line[0] != '#').Select(static line => line.Split(" | ")),
        ];
        Assert.All(lines, static line => Assert.True(line.Length == 2, $"no reason for {line[0]}"));
        return
        [
            .. lines.Where(static line => !RuntimeFeature.IsDynamicCodeSupported
                || !line[1].StartsWith(OnlyWithoutDynamicCode, StringComparison.Ordinal)).Select(static line => line[0]),
        ];
    }

    private static IEnumerable<string> Sources([CallerFilePath] string path = "")
    {
        var root = Path.Combine(Path.GetDirectoryName(path)!, "..", "..", "..", "contracts", "Cluster.Slim");
        return Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(static file => !file.Contains($"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}",
                StringComparison.Ordinal));
    }
}
