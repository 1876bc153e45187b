using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>Production code locks only fields of type <c>Lock</c>, which no code outside their assembly can
/// see.</summary>
internal sealed class LockRule : IRule
{
    public string Name => "locks";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        foreach (var source in repository.Production)
        {
            var fields = source.Root.DescendantNodes().OfType<FieldDeclarationSyntax>().ToArray();
            foreach (var field in fields.Where(field => IsLock(field) && field.Modifiers.Any(SyntaxKind.PublicKeyword)))
                yield return source.At(field, "a lock is private");

            var names = fields.Where(IsLock).SelectMany(field => field.Declaration.Variables)
                .Select(variable => variable.Identifier.Text).ToHashSet();
            foreach (var statement in source.Root.DescendantNodes().OfType<LockStatementSyntax>())
            {
                var target = statement.Expression.ToString();
                // A target with a dot is the lock of another object of the same feature. Its type is not visible in
                // this file.
                if (!target.Contains('.', StringComparison.Ordinal) && !names.Contains(target))
                    yield return source.At(statement, $"'{target}' is not a field of type Lock");
            }
        }
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class C { void M() { lock (this) { } } }"),
        RepositorySnapshot.OfSource("class C { readonly object _gate = new(); void M() { lock (_gate) { } } }"),
        RepositorySnapshot.OfSource("class C { public readonly Lock Gate = new(); }"),
    ];

    private static bool IsLock(FieldDeclarationSyntax field) =>
        field.Declaration.Type.ToString() is "Lock" or "System.Threading.Lock";
}
