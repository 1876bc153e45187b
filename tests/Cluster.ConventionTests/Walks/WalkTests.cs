using Cluster.ConventionTests.Model;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.Walks;

/// <summary>The path of a call through a project is short and straight. <c>walks.txt</c> lists it member by member with
/// its limits. A reader can follow the list through the code.</summary>
public sealed class WalkTests(ITestOutputHelper output)
{
    private const string ListPath = "tests/Cluster.ConventionTests/walks.txt";

    [Fact]
    public void EachStep_OfEachWalk_NamesTheNext_AndPassesFewTypes()
    {
        var walks = Walk.Read(RepositorySnapshot.Current.Files[ListPath]);
        Assert.NotEmpty(walks);
        var maps = walks.Select(walk => walk.Project).Distinct()
            .ToDictionary(project => project, project => new WalkMap(RepositorySnapshot.Current, project));
        var problems = new List<string>();
        foreach (var walk in walks)
        {
            var map = maps[walk.Project];
            var (types, returns) = (WalkMap.TypesOf(walk), map.ReturnsOf(walk));
            output.WriteLine($"{walk.Project}, {walk.Name}: {types.Count} types, {returns} returns");
            output.WriteLine($"  {string.Join(", ", types)}");
            problems.AddRange(map.ProblemsOf(walk));
            if (types.Count > walk.MaxTypes)
                problems.Add($"{walk.Name}: it passes {types.Count} types, {walk.MaxTypes} may");
            if (returns > walk.MaxReturns)
                problems.Add($"{walk.Name}: it returns {returns} times to a folder, {walk.MaxReturns} may");
        }

        Assert.True(problems.Count == 0, string.Join('\n', problems));
    }

    [Fact]
    public void Map_OfASmallProject_FindsMissingSteps_AndReturns()
    {
        var map = new WalkMap(
            RepositorySnapshot.Of(
                ("glue/Small/Small.csproj", "<Project/>"),
                ("glue/Small/Top/A.cs", "namespace Small; class A { void Go(I one) { one.Do(); B.Help(this); } void X() { } }"),
                ("glue/Small/Low/B.cs", "namespace Small; class B : I { public void Do() { } public static void Help(A a) => a.End(); }"),
                ("glue/Small/Low/I.cs", "namespace Small; interface I { void Do(); }"),
                ("glue/Small/Top/C.cs", "namespace Small; static class C { public static void End(this A a) { } }")),
            "Small");
        var walk = Walk.Read("# a comment\nwalk Small | way | 3 | 1\nA.Go\n  B.Do\n  B.Help\n    C.End\n").Single();
        Assert.Empty(map.ProblemsOf(walk));
        Assert.Equal(["A", "B", "C"], WalkMap.TypesOf(walk));
        // The walk goes into Low and comes back to Top.
        Assert.Equal(1, map.ReturnsOf(walk));
        Assert.Equal(
            ["way: A.Go does not name A.X", "way: there is no A.Y"],
            map.ProblemsOf(Walk.Read("walk Small | way | 1 | 0\nA.Go\n  A.X\n  A.Y\n").Single()));
    }
}
