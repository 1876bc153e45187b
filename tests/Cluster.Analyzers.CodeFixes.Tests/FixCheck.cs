using Cluster.Analyzers.Tests;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Cluster.Analyzers.CodeFixes.Tests;

/// <summary>Applies a code fix to the diagnostics of a source. Stateless.</summary>
internal static class FixCheck
{
    /// <summary>Fixes the first diagnostic of an id again and again, until none of that id has a fix.</summary>
    /// <returns>The texts of all files.</returns>
    public static async Task<string[]> FixAsync(CodeFixProvider provider, params string[] sources)
    {
        using var workspace = new AdhocWorkspace();
        var project = workspace.AddProject("Source", LanguageNames.CSharp)
            .WithMetadataReferences(SourceCheck.References)
            .WithParseOptions(new CSharpParseOptions(LanguageVersion.Latest))
            .WithCompilationOptions(new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        project = project.AddDocument("Usings.cs", SourceText.From(SourceCheck.Usings)).Project;
        for (var i = 0; i < sources.Length; i++)
            project = project.AddDocument($"File{i}.cs", SourceText.From(sources[i])).Project;
        while (await FindActionAsync(project, provider) is { } action)
        {
            var operations = await action.GetOperationsAsync(CancellationToken.None);
            project = operations.OfType<ApplyChangesOperation>().Single().ChangedSolution.GetProject(project.Id)!;
        }

        var compilation = (await project.GetCompilationAsync())!;
        Assert.Empty(compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error));
        var texts = project.Documents.Skip(1).Select(async one => (await one.GetTextAsync()).ToString());
        return await Task.WhenAll(texts);
    }

    private static async Task<CodeAction?> FindActionAsync(Project project, CodeFixProvider provider)
    {
        var found = await SourceCheck.AnalyzeAsync((await project.GetCompilationAsync())!);
        foreach (var diagnostic in found.Where(one => provider.FixableDiagnosticIds.Contains(one.Id)))
        {
            CodeAction? action = null;
            var document = project.GetDocument(diagnostic.Location.SourceTree)!;
            await provider.RegisterCodeFixesAsync(
                new CodeFixContext(document, diagnostic, (one, _) => action ??= one, CancellationToken.None));
            if (action is not null)
                return action;
        }

        return null;
    }
}
