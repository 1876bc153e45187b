using Cluster.ConventionTests.Model;

namespace Cluster.ConventionTests.Rules.Structure;

/// <summary>Every production project has a test project of its name with at least one test. All tests are below the
/// folder tests.</summary>
internal sealed class TestProjectRule : IRule
{
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
            where !project.IsTestCode && !tested.Contains($"{project.Name}.Tests")
            select new Violation(project.Path, $"has no tests in tests/{project.Name}.Tests");
        var empty =
            from project in repository.Projects
            where project.IsTestProject && !tested.Contains(project.Name)
            select new Violation(project.Path, "has no test: a run would report no results for it");
        return [.. untested, .. empty];
    }

    public IEnumerable<RepositorySnapshot> Counterexamples() =>
    [
        RepositorySnapshot.OfSource("sealed class Sample;"),
        RepositorySnapshot.Of(
            ("tests/A.Tests/A.Tests.csproj", "<Project><IsTestProject>true</IsTestProject></Project>"),
            ("tests/A.Tests/ATests.cs", "public class ATests { public void NotATest() { } }")),
    ];
}
