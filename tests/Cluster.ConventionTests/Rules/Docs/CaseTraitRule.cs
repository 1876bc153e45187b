using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Docs;

/// <summary><c>[Trait("Case", "slim-A")]</c> on a test or its class names the acceptance case that the test shows. The
/// case must be a row of docs/acceptance.md. In an area with traits, every test that a row names has the trait, and
/// every met row has such tests.</summary>
internal sealed partial class CaseTraitRule : IRule
{
    private const string PagePath = "docs/acceptance.md";
    private const string AreaWithTraits = "slim-";
    private const string Page = "| `slim-A` | numbers | `NumberTests.One_Comes_Back` |";

    public string Name => "case-trait";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var rows = RowsOf(repository.Files.GetValueOrDefault(PagePath, ""));
        var traits = repository.Tests.SelectMany(source => TraitsIn(source)).ToArray();
        var casesByTest = repository.Tests.SelectMany(TestMethods.In)
            .Where(method => method.Parent is TypeDeclarationSyntax)
            .ToLookup(NameOf, method => CasesOf(method).Concat(CasesOf((TypeDeclarationSyntax)method.Parent!)));
        var unknown = traits.Where(trait => !rows.ContainsKey(trait.Case))
            .Select(trait => trait.Source.At(trait.Node, $"{trait.Case} is no row of {PagePath}"));
        var unmarked =
            from row in rows
            where row.Key.StartsWith(AreaWithTraits, StringComparison.Ordinal)
            from test in row.Value
            where casesByTest.Contains(test) && !casesByTest[test].SelectMany(cases => cases).Contains(row.Key)
            select new Violation(PagePath, $"{test} shows {row.Key}: mark it with [Trait(\"Case\", \"{row.Key}\")]");
        var shown = casesByTest.SelectMany(cases => cases).SelectMany(cases => cases).ToHashSet();
        var unshown =
            from id in MetIn(repository.Files.GetValueOrDefault(PagePath, ""))
            where id.StartsWith(AreaWithTraits, StringComparison.Ordinal) && !shown.Contains(id)
            select new Violation(PagePath, $"{id} is said to be met, and no test bears [Trait(\"Case\", \"{id}\")]");
        return unknown.Concat(unmarked).Concat(unshown);
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        Of("public class NumberTests { [Fact] public void One_Comes_Back() { } }"),
        Of("""public class NumberTests { [Fact, Trait("Case", "slim-A"), Trait("Case", "slim-Z")] public void One_Comes_Back() { } }"""),
        Of("""[Trait("Case", "slim-B")] public class NumberTests { [Fact] public void One_Comes_Back() { } }"""),
        Of("public class NumberTests { [Fact] public void One_Comes_Back() { } }", "| `slim-A` | numbers | met: by hand |"),
        Of("""[Trait("Case", "slim-A")] public class NoTests { }""", "| `slim-A` | numbers | met: by hand |"),
    ];

    private static RepositorySnapshot Of(string source, string page = Page) => RepositorySnapshot.Of(
        (PagePath, page + "\n| `slim-B` | text | not yet |"),
        ("tests/A.Tests/A.Tests.csproj", "<Project/>"),
        ("tests/A.Tests/NumberTests.cs", source));

    private static Dictionary<string, string[]> RowsOf(string page) => page.Split('\n')
        .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
        .Select(line => Code().Matches(line).Select(match => match.Groups[1].Value).ToArray())
        .DistinctBy(names => names[0])
        .ToDictionary(names => names[0], names => names[1..]);

    private static IEnumerable<string> MetIn(string page) => page.Split('\n')
        .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
        .Select(line => line.Split('|'))
        .Where(cells => cells.Length > 3 && cells[3].TrimStart().StartsWith("met", StringComparison.Ordinal))
        .Select(cells => cells[1].Trim(' ', '`'));

    private static IEnumerable<(SourceFile Source, AttributeSyntax Node, string Case)> TraitsIn(SourceFile source) =>
        source.Root.DescendantNodes().OfType<AttributeSyntax>()
            .Select(attribute => (source, attribute, Case: CaseOf(attribute)))
            .Where(trait => trait.Case is not null)
            .Select(trait => (trait.source, trait.attribute, trait.Case!));

    private static IEnumerable<string> CasesOf(MemberDeclarationSyntax member) =>
        member.AttributeLists.SelectMany(list => list.Attributes).Select(CaseOf).OfType<string>();

    private static string? CaseOf(AttributeSyntax attribute) =>
        attribute.Name.ToString() == "Trait"
        && attribute.ArgumentList is { Arguments: [var name, var value] }
        && name.Expression is LiteralExpressionSyntax { Token.ValueText: "Case" }
        && value.Expression is LiteralExpressionSyntax id
            ? id.Token.ValueText
            : null;

    private static string NameOf(MethodDeclarationSyntax method) =>
        $"{((TypeDeclarationSyntax)method.Parent!).Identifier.Text}.{method.Identifier.Text}";

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Code();
}
