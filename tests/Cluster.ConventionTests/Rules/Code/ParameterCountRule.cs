using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>A method has at most five parameters and a cancellation token, and at most three type parameters.
/// Positional records do not count, because their parameters are named members.</summary>
internal sealed class ParameterCountRule : IRule
{
    private const int ParameterMax = 5;
    private const int TypeParameterMax = 3;

    public string Name => "parameter-count";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from node in source.Root.DescendantNodes()
        let problem = ProblemOf(node)
        where problem is not null
        select source.At(node, problem);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { void M(int a, int b, int c, int d, int e, int f) { } }"),
        RepositorySnapshot.OfSource("class C(int a, int b, int c, int d, int e, int f);"),
        RepositorySnapshot.OfSource("delegate void D(int a, int b, int c, int d, int e, int f);"),
        RepositorySnapshot.OfSource("class C<A, B, D, E>;"),
    ];

    private static string? ProblemOf(SyntaxNode node) => node switch
    {
        ParameterListSyntax { Parent: RecordDeclarationSyntax or LambdaExpressionSyntax } => null,
        // The parameters of a log method are the values of its message. A native function's parameters are not our
        // choice.
        ParameterListSyntax { Parent: MethodDeclarationSyntax method } when IsLogMessageOrNative(method) => null,
        ParameterListSyntax list when CountOf(list) > ParameterMax =>
            $"{CountOf(list)} parameters, at most {ParameterMax} and a cancellation token",
        TypeParameterListSyntax list when list.Parameters.Count > TypeParameterMax =>
            $"{list.Parameters.Count} type parameters, at most {TypeParameterMax}",
        _ => null,
    };

    private static bool IsLogMessageOrNative(MethodDeclarationSyntax method) => method.AttributeLists
        .SelectMany(list => list.Attributes)
        .Any(attribute => attribute.Name.ToString() is "LoggerMessage" or "DllImport" or "LibraryImport");

    private static int CountOf(ParameterListSyntax list) =>
        list.Parameters.Count(parameter => parameter.Type?.ToString() != "CancellationToken");
}
