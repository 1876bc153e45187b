using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Analyzers.Tests;

/// <summary>The analyzers over code of this repository that is known to be right: they report no warning.</summary>
public sealed class RepositoryTests
{
    [Theory]
    [InlineData("nodes/Shop")]
    [InlineData("nodes/Shop.Drive")]
    [InlineData("nodes/Cluster.NodeHost")]
    [InlineData("nodes/Cluster.Nodes")]
    [InlineData("nodes/Cluster.Nodes.Consul")]
    [InlineData("glue/Cluster.Glue")]
    [InlineData("statestore/Cluster.StateStore")]
    [InlineData("statestore/Cluster.Pile")]
    [InlineData("statestore/Cluster.Buffers")]
    public async Task Analyzers_OverProductCode_ReportNoWarning(string folder)
    {
        var found = await SourceCheck.AnalyzeAsync(Compile(folder));
        Assert.Empty(found.Where(one => one.Severity > DiagnosticSeverity.Info).Select(one => one.ToString()));
    }

    [Theory]
    [InlineData("tests/Cluster.Nodes.Tests/Docs")]
    [InlineData("tests/Cluster.Glue.Tests/Docs")]
    [InlineData("tests/Cluster.Buffers.Tests/Docs")]
    [InlineData("tests/Cluster.Pile.Tests/Docs")]
    public async Task Analyzers_OverTheCodeOfThePages_ReportNoWarning(string folder)
    {
        var found = await SourceCheck.AnalyzeAsync(Compile(folder));
        Assert.Empty(found.Where(one => one.Severity > DiagnosticSeverity.Info).Select(one => one.ToString()));
    }

    // Errors do not matter: code may need assemblies or generated files that this test does not have.
    private static CSharpCompilation Compile(string folder)
    {
        var path = Path.Combine(RepositoryFolder.Path, folder);
        var files = Directory.EnumerateFiles(path, "*.cs", SearchOption.AllDirectories)
            .Where(file => !IsBelow(file, "bin") && !IsBelow(file, "obj"))
            .ToArray();
        Assert.NotEmpty(files);
        var name = folder.Split('/')[1];
        return CSharpCompilation.Create(
            name,
            files.Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), path: file))
                .Append(CSharpSyntaxTree.ParseText(GlobalUsings.Of(name))),
            SourceCheck.References.Where(one => Path.GetFileNameWithoutExtension(one.Display) != name),
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable));
    }

    private static bool IsBelow(string file, string folder) =>
        file.Contains($"{Path.DirectorySeparatorChar}{folder}{Path.DirectorySeparatorChar}", StringComparison.Ordinal);
}
