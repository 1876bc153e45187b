using System.Text.RegularExpressions;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace Cluster.Analyzers.Tests;

/// <summary>Compiles source against the real assemblies and runs all analyzers over it. In a source, <c>{|ID:code|}</c>
/// marks the code where a diagnostic is expected. Stateless.</summary>
public static partial class SourceCheck
{
    /// <summary>The namespaces that every compiled source may use.</summary>
    public const string Usings =
        """
        global using System;
        global using System.Collections.Generic;
        global using System.IO;
        global using System.Linq;
        global using System.Net.Http;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Cluster.Buffers;
        global using Cluster.Contracts;
        global using Cluster.Glue;
        global using Cluster.Nodes;
        global using Cluster.Nodes.Hosting;
        global using Cluster.Pile;
        global using Cluster.StateStore;
        global using Microsoft.Extensions.DependencyInjection;
        global using Microsoft.Extensions.Hosting;
        """;

    private static readonly CSharpParseOptions Parsing = new(LanguageVersion.Latest);

    private static readonly Lazy<MetadataReference[]> Platform = new(() =>
        [.. PlatformAssemblies.Paths.Select(path => MetadataReference.CreateFromFile(path))]);

    /// <summary>All assemblies that a compiled source may use.</summary>
    public static IReadOnlyList<MetadataReference> References => Platform.Value;

    /// <summary>One object of each analyzer.</summary>
    public static ImmutableArray<DiagnosticAnalyzer> Analyzers =>
    [
        .. typeof(ClusterDiagnosticIds).Assembly.GetTypes()
            .Where(type => type.IsAssignableTo(typeof(DiagnosticAnalyzer)) && !type.IsAbstract)
            .Select(type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
    ];

    /// <summary>Compiles sources, which must have no errors.</summary>
    /// <param name="sources">The text of each file.</param>
    public static CSharpCompilation Compile(params string[] sources)
    {
        var compilation = CSharpCompilation.Create(
            "Source" + Guid.NewGuid().ToString("N"),
            sources.Append(Usings).Select((text, index) =>
                CSharpSyntaxTree.ParseText(text, Parsing, path: $"File{index}.cs")),
            References,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true, nullableContextOptions: NullableContextOptions.Enable));
        Assert.Empty(compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error));
        return compilation;
    }

    /// <summary>Compiles sources and loads the assembly.</summary>
    /// <param name="compilation">The compiled sources.</param>
    public static Assembly Load(CSharpCompilation compilation)
    {
        ArgumentNullException.ThrowIfNull(compilation);
        using var stream = new MemoryStream();
        Assert.True(compilation.Emit(stream).Success);
        return Assembly.Load(stream.ToArray());
    }

    /// <summary>Runs all analyzers over compiled sources.</summary>
    /// <param name="compilation">The compiled sources.</param>
    public static async Task<IReadOnlyList<Diagnostic>> AnalyzeAsync(Compilation compilation)
    {
        var analysis = new CompilationWithAnalyzers(compilation, Analyzers, new AnalyzerOptions([]));
        return [.. (await analysis.GetAnalyzerDiagnosticsAsync()).OrderBy(one => one.Location.SourceSpan.Start)];
    }

    /// <summary>Compares the diagnostics of a source with its marks.</summary>
    /// <param name="marked">The source.</param>
    /// <returns>The diagnostics, in the order of their places.</returns>
    public static async Task<IReadOnlyList<Diagnostic>> CheckAsync(string marked)
    {
        var (text, expected) = Read(marked);
        var found = await AnalyzeAsync(Compile(text));
        var shown = found.Select(one => $"{one.Id} {text.Substring(one.Location.SourceSpan.Start, one.Location.SourceSpan.Length)}");
        Assert.Equal(
            expected.Select(mark => $"{mark.Id} {text.Substring(mark.Span.Start, mark.Span.Length)}"), shown);
        Assert.Equal(expected.Select(mark => mark.Span), found.Select(one => one.Location.SourceSpan));
        return found;
    }

    /// <summary>Removes the marks of a source.</summary>
    /// <param name="marked">The source.</param>
    public static (string Text, (string Id, TextSpan Span)[] Marks) Read(string marked)
    {
        var text = new StringBuilder();
        var marks = new List<(string, TextSpan)>();
        var end = 0;
        foreach (Match match in Mark().Matches(marked))
        {
            text.Append(marked, end, match.Index - end);
            var code = match.Groups["code"].Value;
            marks.Add((match.Groups["id"].Value, new TextSpan(text.Length, code.Length)));
            text.Append(code);
            end = match.Index + match.Length;
        }

        text.Append(marked, end, marked.Length - end);
        return (text.ToString(), [.. marks]);
    }

    [GeneratedRegex(@"\{\|(?<id>CLU\d{4}):(?<code>.*?)\|\}", RegexOptions.Singleline)]
    private static partial Regex Mark();
}
