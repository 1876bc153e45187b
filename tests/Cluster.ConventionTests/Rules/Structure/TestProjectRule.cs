using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>Every production project has a test project of its name with at least one test; every sample has a test class
/// of its name in the test project of all samples. All tests are below the folder tests.</summary>
internal sealed class TestProjectRule : IRule
{
    private const string SampleFolder = "nodes/Samples/";
    private const string SampleTests = "tests/Samples.Tests/";

    public string Name => "test-projects";

    public IEnumerable<Violation> Check(RepositorySnapshot repository)
    {
        var suites = TestMethods.NamesIn(repository).Select(name => name.Split('.')[0]).ToHashSet();
        var tested = repository.Tests
            .Where(source => TestMethods.In(source).Any() || TestMethods.BasesIn(source).Any(suites.Contains))
            .Select(source => source.Project.Name)
            .ToHashSet();
        var untested =
            from project in repository.Projects
            where !project.IsTestCode && !IsSample(project) && !tested.Contains($"{project.Name}.Tests")
            select new Violation(project.Path, $"has no tests in tests/{project.Name}.Tests");
        var samples =
            from project in repository.Projects.Where(IsSample)
            let path = $"{SampleTests}{project.Name}Tests.cs"
            where !repository.Tests.Any(source => source.Path == path && TestMethods.In(source).Any())
            select new Violation(project.Path, $"has no tests in {path}");
        var empty =
            from project in repository.Projects
            where project.IsTestProject && !tested.Contains(project.Name)
            select new Violation(project.Path, "has no test: a run would report no results for it");
        return [.. untested, .. samples, .. empty];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("sealed class Sample;"),
        RepositorySnapshot.Of((SampleFolder + "A/A.csproj", "<Project/>")),
        RepositorySnapshot.Of(
            ("tests/A.Tests/A.Tests.csproj", "<Project><IsTestProject>true</IsTestProject></Project>"),
            ("tests/A.Tests/ATests.cs", "public class ATests { public void NotATest() { } }")),
    ];

    private static bool IsSample(ProjectFile project) =>
        project.Path.StartsWith(SampleFolder, StringComparison.Ordinal);
}
