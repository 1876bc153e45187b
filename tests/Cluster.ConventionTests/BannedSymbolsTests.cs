using Cluster.ConventionTests.Model;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.ConventionTests;

/// <summary>Each line of BannedSymbols.txt names a symbol that exists. The analyzer ignores a misspelled symbol without
/// a warning.</summary>
public sealed class BannedSymbolsTests
{
    private static readonly Lazy<Compilation> Platform = new(() => CSharpCompilation.Create(
        "Platform",
        references: PlatformAssemblies.Paths
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path))));

    public static TheoryData<string> Lines =>
        [.. RepositorySnapshot.Current.ListLines("BannedSymbols.txt").Select(line => line.Split(';')[0])];

    [Theory]
    [MemberData(nameof(Lines))]
    public void BannedSymbol_OfTheList_Exists(string id) => Assert.NotNull(Find(id));

    [Theory]
    [InlineData("P:System.DateTime.UtcNov")]
    [InlineData("M:System.Threading.Thread.Sleep(System.String)")]
    public void BannedSymbol_Misspelled_IsNoticed(string id) => Assert.Null(Find(id));

    private static ISymbol? Find(string id) => DocumentationCommentId.GetFirstSymbolForDeclarationId(id, Platform.Value);
}
