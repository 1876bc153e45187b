using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Testing;

namespace Cluster.SystemTests.Slim;

/// <summary>Runs Slim's tests, golden files included, in a process whose configuration switches dynamic code off. Two
/// long tests run only the parts that read and write fields, because only there the back ends differ; a soak test runs
/// all parts. Tests with the trait BackEnd=Emitted are left out: they emit code themselves or count allocations. The
/// tests of the process run one at a time, because other system tests run at the same time.</summary>
[Trait("Case", "slim-N")]
public sealed class ReflectionBackEndTests : IDisposable
{
    private const string Suite = "Cluster.Slim.Tests";
    private const string All = "Category!=Soak&BackEnd!=Emitted";
    private const string Switch = "System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(15);
    private static readonly string Built =
        AppContext.BaseDirectory.Replace("Cluster.SystemTests", Suite, StringComparison.Ordinal);

    // The parts of the suite whose tests use fields: the access to fields, layouts and versions of types, the order of
    // callbacks, graphs, and the golden messages.
    private static readonly string[] Fields =
    [
        "Fields.", "Codecs.LayoutTests", "Versions.", "Codecs.Callbacks.", "Graph.", "Format.", "ConstructionTests",
        "RoundTripTests",
    ];

    private static readonly string[] Basics = ["Fields.", "Codecs.LayoutTests", "Format.", "RoundTripTests"];

    private readonly DirectoryInfo _copy = Directory.CreateTempSubdirectory("cluster-reflection-");

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task LayoutsAndGoldenMessages_WithoutDynamicCode_Pass() => CheckAsync(Basics, countMin: 50);

    [Fact]
    [Trait("Category", "Soak")]
    [Trait("Run", "Long")]
    public Task PartsAboutFields_WithoutDynamicCode_Pass() => CheckAsync(Fields, countMin: 150);

    [Fact]
    [Trait("Category", "Soak")]
    public Task WholeSuite_WithoutDynamicCode_Passes() => CheckAsync([string.Empty], countMin: 200);

    private static string FullName(string part) => $"{Suite}.{part}";

    private async Task CheckAsync(string[] parts, int countMin)
    {
        var filter = $"{All}&({string.Join('|', parts.Select(static p => $"FullyQualifiedName~{FullName(p)}"))})";
        CopySuite();
        SwitchDynamicCodeOff();
        var expected = await ListAsync(filter);
        Assert.All(
            parts, part => Assert.Contains(expected, t => t.StartsWith(FullName(part), StringComparison.Ordinal)));
        var results = await RunAsync(filter);
        Assert.Equal([], results.Where(static r => r.Outcome != "Passed"));
        Assert.True(expected.Length > countMin, $"Only {expected.Length} tests were found.");
        Assert.Equal(
            expected.Select(MethodOf).Order(StringComparer.Ordinal),
            results.Select(static r => MethodOf(r.Name)).Order(StringComparer.Ordinal));
    }

    // Returns the method of a test case. The arguments are removed: a console and a result file write odd characters
    // differently.
    private static string MethodOf(string test) => test.Split('(')[0];

    public void Dispose() => _copy.Delete(recursive: true);

    private void CopySuite()
    {
        foreach (var folder in Directory.EnumerateDirectories(Built, "*", SearchOption.AllDirectories))
            Directory.CreateDirectory(Path.Combine(_copy.FullName, Path.GetRelativePath(Built, folder)));
        foreach (var file in Directory.EnumerateFiles(Built, "*", SearchOption.AllDirectories))
            File.Copy(file, Path.Combine(_copy.FullName, Path.GetRelativePath(Built, file)));
    }

    private void SwitchDynamicCodeOff()
    {
        var path = Path.Combine(_copy.FullName, Suite + ".runtimeconfig.json");
        var configuration = JsonNode.Parse(File.ReadAllText(path))!;
        configuration["runtimeOptions"]!["configProperties"]![Switch] = false;
        File.WriteAllText(path, configuration.ToJsonString());
    }

    // Lists the tests of the project as the same tool finds them with dynamic code.
    private static async Task<string[]> ListAsync(string filter)
    {
        await using var list = Start(Built, filter, "--ListTests");
        Assert.True(await list.WaitForExitAsync(Bound) == 0, list.Output);
        return
        [
            .. list.Lines.Where(static l => l.StartsWith("    ", StringComparison.Ordinal)).Select(static l => l.Trim()),
        ];
    }

    private async Task<(string Name, string Outcome)[]> RunAsync(string filter)
    {
        await using var run = Start(
            _copy.FullName, filter, "--Logger:trx;LogFileName=reflection.trx", $"--ResultsDirectory:{_copy.FullName}");
        var exitCode = await run.WaitForExitAsync(Bound);
        var log = Path.Combine(_copy.FullName, "reflection.trx");
        Assert.True(File.Exists(log), run.Output);
        XNamespace names = "http://microsoft.com/schemas/VisualStudio/TeamTest/2010";
        (string Name, string Outcome)[] results =
        [
            .. XDocument.Load(log).Descendants(names + "UnitTestResult")
                .Select(static r => (r.Attribute("testName")!.Value, r.Attribute("outcome")!.Value)),
        ];
        Assert.True(exitCode == 0, run.Output);
        return results;
    }

    private static ChildProcess Start(string folder, string filter, params string[] arguments) => ChildProcess.Start(
        Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
        ["vstest", Path.Combine(folder, Suite + ".dll"), $"--TestCaseFilter:{filter}", .. arguments, "--", "xUnit.MaxParallelThreads=1"],
        static start => start.Environment["CLUSTER_SLIM_BACK_END"] = "reflection");
}
