using System.Runtime.Loader;
using Cluster.Slim;
using Cluster.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Cluster.Pile.Tests.Litmus;

/// <summary>The pile once more, built from its sources by <see cref="SourceEdit"/> into a variant whose every access to
/// memory can be interrupted and whose checks can be left out, together with the scenarios that run in it. The pile
/// itself has no test points, so they cost it nothing. Each instance is a load of its own; owned by one test.</summary>
internal sealed class WovenPile : IDisposable
{
    // The project of the pile compiles this file of another folder, too.
    private const string HelpPage = "../../contracts/Cluster.Contracts/Help/HelpPage.cs";

    private static readonly string[] Scenarios =
    [
        "Piles.cs", "PileChecks.cs", "StormPayload.cs", "DeleteRace.cs", "Litmus/LitmusCheck.cs",
        "Litmus/LitmusPoints.cs", "Litmus/LitmusScenarios.cs", "Litmus/Pauses.cs", "Litmus/Victim.cs",
        "Litmus/ReadInterleavings.cs",
        "Mapped/TestFolder.cs", "Mapped/KillPoints.cs", "Mapped/KillEntryPoints.cs",
    ];

    private static readonly Lazy<byte[]> Image = new(() => Compile());

    private readonly AssemblyLoadContext _context = new("woven pile", isCollectible: true);
    private readonly Assembly _assembly;

    public WovenPile() => _assembly = _context.LoadFromStream(new MemoryStream(Image.Value));

    public void Dispose() => _context.Unload();

    /// <summary>Runs a scenario of the woven build, with a check left out, and gives what it reports.</summary>
    public string[] Run(string scenario, LitmusCheck skipped, params object[] arguments)
    {
        var method = _assembly.GetType(typeof(LitmusScenarios).FullName!)!.GetMethod(scenario)!;
        try
        {
            object[] all = [(int)skipped, .. arguments];
            return (string[])method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, all, null)!;
        }
        finally
        {
            GC.KeepAlive(this);
        }
    }

    private static byte[] Compile([CallerFilePath] string path = "")
    {
        var tests = Path.GetDirectoryName(Path.GetDirectoryName(path))!;
        var pile = Path.GetFullPath(Path.Combine(tests, "../../statestore/Cluster.Pile"));
        var options = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview);
        var sources = PileSources(pile)
            .Append((Path: HelpPage, Text: File.ReadAllText(Path.Combine(pile, HelpPage))))
            .Concat(Scenarios.Select(file => (Path: file, Text: File.ReadAllText(Path.Combine(tests, file)))))
            .Append((Path: "GlobalUsings.cs", Text: GlobalUsings.Of("Cluster.Pile")))
            .Append((Path: "TestUsings.cs", Text: "global using Cluster.Pile.Tests.Litmus; global using Xunit;"));
        var compilation = CSharpCompilation.Create(
            "Cluster.Pile.Woven",
            sources.Select(source => CSharpSyntaxTree.ParseText(source.Text, options, source.Path)),
            References(),
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                optimizationLevel: OptimizationLevel.Release,
                allowUnsafe: true,
                nullableContextOptions: NullableContextOptions.Enable));
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        var errors = result.Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error).Take(10);
        Assert.True(result.Success, "The woven pile does not compile:\n" + string.Join('\n', errors));
        return image.ToArray();
    }

    private static List<(string Path, string Text)> PileSources(string folder)
    {
        var sources = Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
            .Select(file => (Path: Path.GetRelativePath(folder, file).Replace('\\', '/'), Text: File.ReadAllText(file)))
            .Where(source => !source.Path.StartsWith("obj/", StringComparison.Ordinal)
                && !source.Path.StartsWith("bin/", StringComparison.Ordinal))
            .ToList();
        foreach (var edit in SourceEdit.All)
        {
            var changes = 0;
            for (var i = 0; i < sources.Count; i++)
            {
                if (!edit.Concerns(sources[i].Path))
                    continue;
                var text = edit.Apply(sources[i].Text);
                changes += text == sources[i].Text ? 0 : 1;
                sources[i] = (sources[i].Path, text);
            }

            Assert.True(changes > 0, $"{edit.File} has nothing like {edit.Pattern} any more: adapt SourceEdit.");
        }

        return sources;
    }

    private static IEnumerable<MetadataReference> References() =>
        PlatformAssemblies.Paths
            .Where(file => Path.GetFileName(file).StartsWith("System.", StringComparison.Ordinal)
                || Path.GetFileName(file) is "netstandard.dll" or "mscorlib.dll" or "Microsoft.Win32.Primitives.dll")
            .Append(typeof(SlimException).Assembly.Location)
            .Append(typeof(Assert).Assembly.Location)
            .Distinct()
            .Select(file => MetadataReference.CreateFromFile(file));
}
