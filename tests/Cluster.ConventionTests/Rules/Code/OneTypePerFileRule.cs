using Cluster.ConventionTests.Model;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Cluster.ConventionTests.Rules.Code;

/// <summary>A production file declares one top-level type, and its name is the type's name. A tiny enum, record or
/// delegate may share the file of its only user; a generic type may share the file of its non-generic twin.</summary>
internal sealed class OneTypePerFileRule : IRule
{
    private const int TinyLineCountMax = 15;

    public string Name => "one-type-per-file";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) => repository.Production.SelectMany(CheckFile);

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("class Sample; class Other;"),
        RepositorySnapshot.OfSource("class Another;"),
    ];

    private static IEnumerable<Violation> CheckFile(SourceFile source)
    {
        var types = source.TopLevelTypes.ToArray();
        if (types.Length == 0)
            yield break;

        // Foo.cs and Foo.Log.cs are files of Foo. So is Foo{T}.cs or FooOfT.cs, which contains Foo<T> next to a plain
        // Foo.
        var expected = source.Name.Split('.', '{')[0];
        var main = types.FirstOrDefault(type => IsNamed(type, expected));
        if (main is null)
            yield return source.At(types[0], $"no type {expected} in a file of that name");

        foreach (var type in types.Where(type => !IsNamed(type, expected) && !IsTiny(type)))
            yield return source.At(type, $"{SourceFile.NameOf(type)} needs a file of its own");
    }

    private static bool IsNamed(MemberDeclarationSyntax type, string expected)
    {
        var name = SourceFile.NameOf(type);
        var isGeneric = type is TypeDeclarationSyntax { TypeParameterList: not null };
        return name == expected || (isGeneric && expected == name + "OfT");
    }

    private static bool IsTiny(MemberDeclarationSyntax type)
    {
        var span = type.GetLocation().GetLineSpan();
        return type is EnumDeclarationSyntax or RecordDeclarationSyntax or DelegateDeclarationSyntax
            && span.EndLinePosition.Line - span.StartLinePosition.Line < TinyLineCountMax;
    }
}
