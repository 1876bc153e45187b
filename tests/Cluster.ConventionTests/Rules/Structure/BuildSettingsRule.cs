using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>The strict build settings are in one place, and no project weakens them: warnings are errors, documentation
/// is generated, and the banned symbols are checked. Tests run one project at a time and without soak runs. The shared
/// files stay short. Package versions are in the central file, and each project has a lock file of its restored
/// packages.</summary>
internal sealed class BuildSettingsRule : IRule
{
    private const string PropsPath = "Directory.Build.props";
    private const string TargetsPath = "Directory.Build.targets";
    private const string BannedPath = "BannedSymbols.txt";
    private const string SettingsPath = "tests/default.runsettings";
    private const string LockFile = "/packages.lock.json";
    private const string SolutionTargetsPath = "Directory.Solution.targets";

    private static readonly string[] Required =
    [
        "<Nullable>enable</Nullable>", "<TreatWarningsAsErrors>true</TreatWarningsAsErrors>",
        "<AnalysisLevel>latest-recommended</AnalysisLevel>", "<EnforceCodeStyleInBuild>true</EnforceCodeStyleInBuild>",
        "<GenerateDocumentationFile>true</GenerateDocumentationFile>", "<Deterministic>true</Deterministic>",
        "<RunSettingsFilePath>$(RepositoryRoot)tests/default.runsettings</RunSettingsFilePath>",
        "<RestorePackagesWithLockFile>true</RestorePackagesWithLockFile>",
    ];

    private static readonly string[] Loosening =
    [
        "NoWarn", "TreatWarningsAsErrors", "WarningsNotAsErrors", "Nullable", "GenerateDocumentationFile",
        "AnalysisLevel", "EnforceCodeStyleInBuild", "TargetFramework", "TargetFrameworks", "LangVersion",
        "RunAnalyzers",
    ];

    private static readonly string[] BannedSymbols =
    [
        "P:System.DateTime.UtcNow", "P:System.DateTimeOffset.UtcNow", "M:System.Threading.Thread.Sleep(System.Int32)",
        "M:System.Threading.Tasks.Task.Delay(System.TimeSpan)", "M:System.Type.GetType(System.String)",
        "P:System.Random.Shared", "T:System.Console", "M:System.Threading.Tasks.Task.Wait",
    ];

    // Two projects at a time are tested, the long ones first, in the order of the list.
    private const string TestOrder = "Projects=\"@(OrderedProject);@(LightProject)\"";

    private static readonly Dictionary<string, int> LineMax = new() { [PropsPath] = 30, [".editorconfig"] = 80 };

    public string Name => "build-settings";

    public IEnumerable<Violation> Check(RepositorySnapshot repository) =>
    [
        .. Missing(repository, PropsPath, Required),
        .. Missing(repository, TargetsPath, ["Microsoft.CodeAnalysis.BannedApiAnalyzers", BannedPath]),
        .. Missing(repository, BannedPath, BannedSymbols),
        .. Missing(repository, SettingsPath, ["<TestCaseFilter>Category!=Soak</TestCaseFilter>"]),
        .. Missing(repository, SolutionTargetsPath, [TestOrder]),
        .. from limit in LineMax
           where TextOf(repository, limit.Key).TrimEnd().Split('\n').Length > limit.Value
           select new Violation(limit.Key, $"more than {limit.Value} lines"),
        .. from project in repository.Projects
           from setting in Loosening
           where project.Property(setting) is not null
           select new Violation(project.Path, $"sets {setting}, which one file decides for all projects"),
        .. from project in repository.Projects
           let text = TextOf(repository, project.Path)
           where text.Contains("<PackageReference", StringComparison.Ordinal)
           where text.Contains(" Version=", StringComparison.Ordinal)
           select new Violation(project.Path, "a package version outside of Directory.Packages.props"),
        .. from project in repository.Projects
           where !repository.Files.ContainsKey(project.Folder + LockFile)
           select new Violation(project.Path, "has no lock file; run dotnet restore and commit packages.lock.json"),
    ];

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.Of((PropsPath, "<Project/>")),
        Complete(("a/A/A.csproj", "<Project><NoWarn>CS1591</NoWarn></Project>")),
        Complete(("a/A/A.csproj", "<Project><PackageReference Include=\"x\" Version=\"1\"/></Project>")),
        Complete((".editorconfig", string.Concat(Enumerable.Repeat("a\n", 81)))),
        Complete(("b/B/B.csproj", "<Project/>")),
    ];

    // A repository that violates the rule only in the given file, so that each counterexample tests one condition.
    private static RepositorySnapshot Complete((string Path, string Text) wrong) => RepositorySnapshot.Of(
        (PropsPath, string.Join('\n', Required)),
        (TargetsPath, "Microsoft.CodeAnalysis.BannedApiAnalyzers BannedSymbols.txt"),
        (BannedPath, string.Join('\n', BannedSymbols)),
        (SettingsPath, "<TestCaseFilter>Category!=Soak</TestCaseFilter>"),
        (SolutionTargetsPath, TestOrder),
        ("a/A" + LockFile, "{}"),
        wrong);

    private static IEnumerable<Violation> Missing(RepositorySnapshot repository, string path, string[] required) =>
        required.Where(part => !TextOf(repository, path).Contains(part, StringComparison.Ordinal))
            .Select(part => new Violation(path, $"lacks {part}"));

    private static string TextOf(RepositorySnapshot repository, string path) =>
        repository.Files.GetValueOrDefault(path, "");
}
