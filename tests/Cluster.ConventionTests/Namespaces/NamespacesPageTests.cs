using System.Text.RegularExpressions;
using Cluster.ConventionTests.Model;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.ConventionTests.Namespaces;

/// <summary>Each row of docs/namespaces.md names the <c>using</c> lines of its sample, and the sample compiles with
/// them, the implicit usings of the SDK and the package of the row.</summary>
public sealed partial class NamespacesPageTests
{
    private const string Page = "docs/namespaces.md";
    private const string SampleFolder = "tests/Cluster.ConventionTests/Namespaces/Samples/";

    // What the compiler reports for a using that is not needed.
    private const string UnneededUsing = "CS8019";

    private const string ImplicitUsings =
        "global using System; global using System.Collections.Generic; global using System.IO; "
        + "global using System.Linq; global using System.Net.Http; global using System.Threading; "
        + "global using System.Threading.Tasks;";

    public static TheoryData<string, string, string> Rows
    {
        get
        {
            var rows = new TheoryData<string, string, string>();
            foreach (var row in Row().Matches(RepositorySnapshot.Current.Files[Page]).Cast<Match>())
                rows.Add(row.Groups["package"].Value, row.Groups["usings"].Value, row.Groups["path"].Value);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void Row_HasTheUsingsOfItsSample(string package, string usings, string path)
    {
        var found = CSharpSyntaxTree.ParseText(RepositorySnapshot.Current.Files[path]).GetCompilationUnitRoot().Usings;
        Assert.Equal(
            string.Join(' ', found.Select(line => $"`{line.ToString().Trim()}`")), usings);
        Assert.Contains(RepositorySnapshot.Current.Projects, project => project.Name == package);
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void Sample_CompilesWithItsUsingsAndItsPackage_AndNeedsEachUsing(string package, string usings, string path)
    {
        Assert.NotEmpty(usings);
        Assert.Empty(ProblemsOf(RepositorySnapshot.Current.Files[path], package));
    }

    [Fact]
    public void Sample_WithoutAUsing_OrWithOneMore_OrWithAnotherPackage_IsNoticed()
    {
        const string Good = "using Cluster.Slim; class C { SlimSerializer S; }";
        Assert.Empty(ProblemsOf(Good, "Cluster.Slim"));
        Assert.NotEmpty(ProblemsOf("class C { SlimSerializer S; }", "Cluster.Slim"));
        Assert.NotEmpty(ProblemsOf("using System.Text; " + Good, "Cluster.Slim"));
        Assert.NotEmpty(ProblemsOf(Good, "Cluster.Contracts"));
    }

    [Fact]
    public void Page_NamesEachSample_AndEachPackageOfALibrary()
    {
        var page = RepositorySnapshot.Current.Files[Page];
        var samples = RepositorySnapshot.Current.Files.Keys
            .Where(path => path.StartsWith(SampleFolder, StringComparison.Ordinal));
        Assert.All(samples, path => Assert.Contains($"`{path}`", page, StringComparison.Ordinal));
        var packages = RepositorySnapshot.Current.Projects
            .Where(project => !project.IsTestCode && project.Property("IsPackable") == "true")
            .Where(project => project.Property("PackageType") != "Template")
            .Where(project => project.Property("DevelopmentDependency") != "true");
        Assert.All(packages, project => Assert.Contains($"| `{project.Name}` |", page, StringComparison.Ordinal));
    }

    private static IEnumerable<Diagnostic> ProblemsOf(string source, string package)
    {
        var options = CSharpParseOptions.Default.WithDocumentationMode(DocumentationMode.Parse);
        var ours = new HashSet<string>();
        Collect(package, ours);
        var compilation = CSharpCompilation.Create(
            "Sample",
            [CSharpSyntaxTree.ParseText(ImplicitUsings, options), CSharpSyntaxTree.ParseText(source, options, "Sample.cs")],
            PlatformAssemblies.Paths.Where(path => IsVisible(path, ours))
                .Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        return compilation.GetDiagnostics().Where(problem => problem.Severity == DiagnosticSeverity.Error
            || (problem.Id == UnneededUsing && problem.Location.SourceTree?.FilePath == "Sample.cs"));
    }

    private static bool IsVisible(string path, HashSet<string> ours)
    {
        var name = Path.GetFileNameWithoutExtension(path);
        return !name.StartsWith("Cluster.", StringComparison.Ordinal) || ours.Contains(name);
    }

    private static void Collect(string library, HashSet<string> names)
    {
        if (!names.Add(library))
            return;
        foreach (var reference in Assembly.Load(library).GetReferencedAssemblies())
        {
            if (reference.Name!.StartsWith("Cluster.", StringComparison.Ordinal))
                Collect(reference.Name, names);
        }
    }

    [GeneratedRegex(
        @"^\| [^|]+ \| `(?<package>[\w.]+)` \| (?<usings>[^|]+) \| `(?<path>[^`|]+)` \|$", RegexOptions.Multiline)]
    private static partial Regex Row();
}
