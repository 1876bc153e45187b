using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>All rules by which Glue refuses what a peer sends, found in its source: each exception of the wire and each
/// status that is made there, each bind result on a method, and each field that a reader takes. A rule added tomorrow
/// is found without being registered anywhere. A refusal is told by its text, which travels to the other
/// side.</summary>
internal static class WireRules
{
    private const string ReaderFile = "WireReader.cs";

    private static readonly string[] Refusals = ["WireException", "GrpcStatusException"];

    private static readonly string[] FieldMethods =
    [
        "ReadByte", "ReadVarint", "ReadLength", "ReadUInt64", "ReadUInt32", "ReadGuid", "ReadBytes", "ReadBlock",
        "ReadText", "ReadPlainText", "CheckMagic",
    ];

    /// <summary>Refusals with a full text come before fields, whose texts only begin alike, and what says more before
    /// what says less.</summary>
    public static IReadOnlyList<WireRule> All { get; } =
    [
        .. Sources().SelectMany(ThrowsIn).DistinctBy(rule => rule.Says.ToString()).OrderByDescending(LengthOf),
        .. Sources().SelectMany(FieldsIn).OrderByDescending(LengthOf),
    ];

    /// <summary>The rule that a text of refusal belongs to; null when it is none.</summary>
    public static WireRule? Find(string text) => All.FirstOrDefault(rule => rule.Says.IsMatch(text));

    private static int LengthOf(WireRule rule) => rule.Says.ToString().Length;

    private static IEnumerable<WireRule> ThrowsIn(string path)
    {
        Dictionary<string, int> counts = [];
        foreach (var place in Nodes<ExpressionSyntax>(path))
        {
            if (TextOf(place) is not { } text || TemplateOf(text) is not { } template)
                continue;
            var member = MemberOf(place);
            counts[member] = counts.GetValueOrDefault(member) + 1;
            yield return new WireRule(
                $"{Path.GetFileName(path)} {member} {counts[member]}",
                new Regex($"^{template}$", RegexOptions.Singleline));
        }
    }

    private static IEnumerable<WireRule> FieldsIn(string path) =>
        from call in Nodes<InvocationExpressionSyntax>(path)
        where FieldMethods.Contains(call.Expression.ToString().Split('.')[^1])
        let name = call.ArgumentList.Arguments.LastOrDefault()?.Expression as LiteralExpressionSyntax
        where name?.Token.Value is string
        group call by $"{Path.GetFileName(path)} {MemberOf(call)} '{name.Token.ValueText}'" into field
        let what = field.Key.Split('\'')[1]
        select new WireRule(field.Key, new Regex($"^{Regex.Escape(what)}: ", RegexOptions.Singleline));

    // The argument that says why: of an exception, or of a bind result on a method.
    private static ExpressionSyntax? TextOf(ExpressionSyntax place) => place switch
    {
        ObjectCreationExpressionSyntax creation when Refusals.Contains(creation.Type.ToString()) =>
            creation.ArgumentList?.Arguments.LastOrDefault()?.Expression,
        InvocationExpressionSyntax
        {
            Expression: MemberAccessExpressionSyntax { Name.Identifier.Text: "Refused" },
        } call =>
            call.ArgumentList.Arguments.LastOrDefault()?.Expression,
        _ => null,
    };

    // Null for a text that another rule has made, which is handed on.
    private static string? TemplateOf(ExpressionSyntax text)
    {
        var template = new StringBuilder();
        foreach (var part in PartsOf(text))
        {
            switch (part)
            {
                case LiteralExpressionSyntax literal:
                    template.Append(Regex.Escape(literal.Token.ValueText));
                    break;
                case InterpolatedStringExpressionSyntax interpolated:
                    foreach (var content in interpolated.Contents)
                    {
                        template.Append(content is InterpolatedStringTextSyntax plain
                            ? Regex.Escape(plain.TextToken.ValueText)
                            : ".*");
                    }

                    break;
                default:
                    return null;
            }
        }

        return template.ToString();
    }

    private static IEnumerable<ExpressionSyntax> PartsOf(ExpressionSyntax text) =>
        text is BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression } sum
            ? PartsOf(sum.Left).Concat(PartsOf(sum.Right))
            : [text];

    private static string MemberOf(CSharpSyntaxNode node) =>
        node.FirstAncestorOrSelf<MemberDeclarationSyntax>() switch
        {
            MethodDeclarationSyntax method => method.Identifier.Text,
            PropertyDeclarationSyntax property => property.Identifier.Text,
            _ => "",
        };

    private static IEnumerable<T> Nodes<T>(string path)
        where T : CSharpSyntaxNode =>
        CSharpSyntaxTree.ParseText(File.ReadAllText(path)).GetRoot().DescendantNodes().OfType<T>();

    private static IEnumerable<string> Sources([CallerFilePath] string path = "")
    {
        var root = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(path)!, "..", "..", "..", "glue", "Cluster.Glue"));
        return Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(static file => !file.Contains(
                $"{Path.DirectorySeparatorChar}obj{Path.DirectorySeparatorChar}", StringComparison.Ordinal))
            .Where(static file => Path.GetFileName(file) != ReaderFile)
            .Order(StringComparer.Ordinal);
    }
}
