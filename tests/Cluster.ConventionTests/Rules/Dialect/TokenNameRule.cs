using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Dialect;

/// <summary>The cancellation token of a production method has the parameter name of the base library. A method with two
/// tokens may choose other names.</summary>
internal sealed class TokenNameRule : IRule
{
    private const string Expected = "cancellationToken";

    public string Name => "token-name";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Production
        from parameters in source.Root.DescendantNodes().OfType<ParameterListSyntax>()
        where parameters.Parent is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax
        let tokens = parameters.Parameters.Where(IsToken).ToArray()
        where tokens is [var only] && only.Identifier.Text != Expected
        select source.At(tokens[0], $"the token is called {tokens[0].Identifier.Text}; call it {Expected}");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { void M(CancellationToken token) { } }"),
        RepositorySnapshot.OfSource("class C { void M() { void N(System.Threading.CancellationToken ct) { } } }"),
    ];

    private static bool IsToken(ParameterSyntax parameter) =>
        parameter.Type?.ToString().Split('.')[^1] == nameof(CancellationToken);
}
