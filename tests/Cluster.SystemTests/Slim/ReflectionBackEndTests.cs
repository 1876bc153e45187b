using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Testing;

namespace Cluster.SystemTests.Slim;

/// <summary>
/// Slim where the runtime emits no code: all of its tests, golden files included, in a process whose configuration
/// switches dynamic code off. Left out are only the few that make code themselves or count what is allocated, which
/// bear the trait BackEnd=Emitted. Alone, because the tests of a whole project keep the machine busy.
/// </summary>
[Collection(nameof(ReflectionBackEndTests))]
[CollectionDefinition(nameof(ReflectionBackEndTests), DisableParallelization = true)]
[Trait("Case", "slim-N")]
public sealed class ReflectionBackEndTests : IDisposable
{
    private const string Suite = "Cluster.Slim.Tests";
    private const string Filter = "--TestCaseFilter:Category!=Soak&BackEnd!=Emitted";
    private const string Switch = "System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeSupported";
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(15);
    private static readonly string Built =
        AppContext.BaseDirectory.Replace("Cluster.SystemTests", Suite, StringComparison.Ordinal);

    private readonly DirectoryInfo _copy = Directory.CreateTempSubdirectory("cluster-reflection-");

    [Fact]
    public async Task WholeSuite_WithoutDynamicCode_Passes()
    {
        CopySuite();
        SwitchDynamicCodeOff();
        string[] expected = await ListAsync();
        (string Name, string Outcome)[] results = await RunAsync();
        Assert.Equal([], results.Where(static r => r.Outcome != "Passed"));
        Assert.True(expected.Length > 200, $"Only {expected.Length} tests were found.");
        Assert.Equal(
            expected.Select(MethodOf).Order(StringComparer.Ordinal),
            results.Select(static r => MethodOf(r.Name)).Order(StringComparer.Ordinal));
    }

    // Once per case of a theory. Arguments are left out: a console and a result file write odd characters differently.
    private static string MethodOf(string test) => test.Split('(')[0];

    public void Dispose() => _copy.Delete(recursive: true);

    private void CopySuite()
    {
        foreach (string folder in Directory.EnumerateDirectories(Built, "*", SearchOption.AllDirectories))
            Directory.CreateDirectory(Path.Combine(_copy.FullName, Path.GetRelativePath(Built, folder)));
        foreach (string file in Directory.EnumerateFiles(Built, "*", SearchOption.AllDirectories))
            File.Copy(file, Path.Combine(_copy.FullName, Path.GetRelativePath(Built, file)));
    }

    private void SwitchDynamicCodeOff()
    {
        string path = Path.Combine(_copy.FullName, Suite + ".runtimeconfig.json");
        JsonNode configuration = JsonNode.Parse(File.ReadAllText(path))!;
        configuration["runtimeOptions"]!["configProperties"]![Switch] = false;
        File.WriteAllText(path, configuration.ToJsonString());
    }

    // What the project has, as the same tool sees it with dynamic code.
    private static async Task<string[]> ListAsync()
    {
        await using ChildProcess list = Start(Built, "--ListTests");
        Assert.True(await list.WaitForExitAsync(Bound) == 0, list.Output);
        return
        [
            .. list.Lines.Where(static l => l.StartsWith("    ", StringComparison.Ordinal)).Select(static l => l.Trim()),
        ];
    }

    private async Task<(string Name, string Outcome)[]> RunAsync()
    {
        await using ChildProcess run = Start(
            _copy.FullName, "--Logger:trx;LogFileName=reflection.trx", $"--ResultsDirectory:{_copy.FullName}");
        int exitCode = await run.WaitForExitAsync(Bound);
        string log = Path.Combine(_copy.FullName, "reflection.trx");
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

    private static ChildProcess Start(string folder, params string[] arguments) => ChildProcess.Start(
        Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet",
        ["vstest", Path.Combine(folder, Suite + ".dll"), Filter, .. arguments],
        static start => start.Environment["CLUSTER_SLIM_BACK_END"] = "reflection");
}
