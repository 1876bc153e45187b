using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>The name of a library method that returns a task ends with Async. The contracts of the sample stand for
/// users' interfaces, which choose their own names.</summary>
internal sealed class AsyncNameRule : IRule
{
    private static readonly string[] TaskTypes = ["Task", "ValueTask"];

    public string Name => "async-names";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        where source.Project.Name.StartsWith("Cluster.", StringComparison.Ordinal)
        from method in source.Root.DescendantNodes().OfType<MethodDeclarationSyntax>()
        where TaskTypes.Contains(method.ReturnType.ToString().Split('<')[0])
        where !method.Identifier.Text.EndsWith("Async", StringComparison.Ordinal)
        where !method.Modifiers.Any(SyntaxKind.OverrideKeyword)
        select source.At(method, $"{method.Identifier.Text} returns a task and does not end with Async");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { Task Run() => null; }"),
        RepositorySnapshot.OfSource("interface I { ValueTask<int> Get(); }"),
    ];
}
