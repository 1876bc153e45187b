using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Model;

/// <summary>Recognizes test methods by their attribute, whose name ends in Fact, Theory or Property.
/// Stateless.</summary>
internal static class TestMethods
{
    private static readonly string[] Endings = ["Fact", "Theory", "Property"];

    public static IEnumerable<MethodDeclarationSyntax> In(SourceFile source) => source.Root.DescendantNodes()
        .OfType<MethodDeclarationSyntax>()
        .Where(method => method.AttributeLists.SelectMany(list => list.Attributes).Any(IsTest));

    /// <summary><c>Class.Method</c> of every test in the repository. A test of a conformance suite counts for the
    /// suite's class.</summary>
    public static HashSet<string> NamesIn(RepositorySnapshot repository) =>
    [
        .. from source in repository.Tests
           from method in In(source)
           where method.Parent is TypeDeclarationSyntax
           select $"{((TypeDeclarationSyntax)method.Parent!).Identifier.Text}.{method.Identifier.Text}",
    ];

    /// <summary>The names of the base types of a file's classes. One of them may be a conformance suite.</summary>
    public static IEnumerable<string> BasesIn(SourceFile source) => source.Root.DescendantNodes()
        .OfType<BaseTypeSyntax>()
        .Select(type => type.Type.ToString().Split('<')[0].Split('.')[^1]);

    private static bool IsTest(AttributeSyntax attribute) =>
        Endings.Any(ending => attribute.Name.ToString().EndsWith(ending, StringComparison.Ordinal));
}
