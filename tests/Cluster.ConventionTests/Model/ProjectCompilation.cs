using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.ConventionTests.Model;

/// <summary>Compiles the production code of one project for analysis, without generated files. Stateless.</summary>
internal static class ProjectCompilation
{
    private static readonly Lazy<MetadataReference[]> Platform = new(() =>
    [
        .. PlatformAssemblies.Paths
            .Select(path => MetadataReference.CreateFromFile(path)),
    ]);

    /// <summary>Compiles the sources of one project.</summary>
    /// <param name="project">The project's name.</param>
    /// <param name="sources">The project's files.</param>
    public static CSharpCompilation Of(string project, IReadOnlyList<SourceFile> sources)
    {
        var options = (CSharpParseOptions)sources[0].Root.SyntaxTree.Options;
        return CSharpCompilation.Create(
            project,
            [.. sources.Select(source => source.Root.SyntaxTree), CSharpSyntaxTree.ParseText(GlobalUsings.Of(project), options)],
            // The test process also loads the assembly of the project itself, which must not be a reference.
            Platform.Value.Where(reference => Path.GetFileNameWithoutExtension(reference.Display) != project),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
    }
}
