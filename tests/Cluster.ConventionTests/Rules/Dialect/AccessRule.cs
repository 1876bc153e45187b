using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Dialect;

/// <summary>The members of a type that is not public are public, not internal, because the type alone decides who may
/// use them. A member that overrides an internal member of a public type stays internal.</summary>
internal sealed class AccessRule : IRule
{
    public string Name => "access";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
        from source in repository.Sources
        from type in source.Types.OfType<TypeDeclarationSyntax>()
        where IsHidden(type)
        from member in type.Members
        where member.Modifiers.Any(SyntaxKind.InternalKeyword)
            && !member.Modifiers.Any(SyntaxKind.ProtectedKeyword)
            && !member.Modifiers.Any(SyntaxKind.OverrideKeyword)
        select source.At(member, "an internal member of a type that is not public; make it public");

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("internal class C { internal int M() => 1; }"),
        RepositorySnapshot.OfSource("class C { internal int P { get; } }"),
        RepositorySnapshot.OfSource("public class C { private class D { internal D() { } } }"),
    ];

    private static bool IsHidden(TypeDeclarationSyntax type)
    {
        if (type.Modifiers.Any(SyntaxKind.PublicKeyword) || type.Modifiers.Any(SyntaxKind.ProtectedKeyword))
            return type.Parent is TypeDeclarationSyntax outer && IsHidden(outer);
        return type.Parent is not InterfaceDeclarationSyntax;
    }
}
