using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>The code contains no regions, conditional compilation, goto, notes to the author, or pragmas without a
/// reason. Production code contains no commented-out code.</summary>
internal sealed partial class NoiseRule : IRule
{
    public string Name => "noise";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Sources.SelectMany(CheckFile);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("#region a\nsealed class Sample;\n#endregion\n"),
        RepositorySnapshot.OfSource("#if DEBUG\nsealed class Sample;\n#endif\n"),
        RepositorySnapshot.OfSource("#pragma warning disable CA1822\nsealed class Sample;\n"),
        RepositorySnapshot.OfSource("// TO" + "DO: later\nsealed class Sample;\n"),
        RepositorySnapshot.OfSource("sealed class Sample { void M() { a: goto a; } }"),
        RepositorySnapshot.OfSource("sealed class Sample\n{\n    // Call(one);\n}\n"),
    ];

    private static IEnumerable<Violation> CheckFile(SourceFile source)
    {
        foreach (var jump in source.Root.DescendantNodes().OfType<GotoStatementSyntax>()
            .Where(jump => jump.IsKind(SyntaxKind.GotoStatement)))
        {
            yield return source.At(jump, "goto");
        }

        foreach (var trivia in source.Root.DescendantTrivia(descendIntoTrivia: false))
        {
            if (ProblemOf(trivia, source) is { } problem)
            {
                var line = trivia.GetLocation().GetLineSpan().StartLinePosition.Line + 1;
                yield return new Violation($"{source.Path}:{line}", problem);
            }
        }
    }

    private static string? ProblemOf(SyntaxTrivia trivia, SourceFile source)
    {
        var text = trivia.ToString();
        return trivia.Kind() switch
        {
            SyntaxKind.RegionDirectiveTrivia => "regions hide that a file is too long",
            SyntaxKind.IfDirectiveTrivia => "one target framework needs no conditional compilation",
            SyntaxKind.PragmaWarningDirectiveTrivia when IsBareDisable(trivia) =>
                "a pragma needs its reason on the same line",
            SyntaxKind.SingleLineCommentTrivia or SyntaxKind.MultiLineCommentTrivia when NoteToSelf().IsMatch(text) =>
                "notes to self belong into an issue",
            SyntaxKind.SingleLineCommentTrivia when !source.Project.IsTestCode && CodeEnd().IsMatch(text) =>
                "commented-out code",
            _ => null,
        };
    }

    private static bool IsBareDisable(SyntaxTrivia trivia) =>
        trivia.GetStructure() is PragmaWarningDirectiveTriviaSyntax pragma
        && pragma.DisableOrRestoreKeyword.IsKind(SyntaxKind.DisableKeyword)
        && !pragma.ToFullString().Contains("//", StringComparison.Ordinal);

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|REVIEW|XXX)\b")]
    private static partial Regex NoteToSelf();

    [GeneratedRegex(@"[;{}]\s*$")]
    private static partial Regex CodeEnd();
}
