using Shop.Catalog;

namespace Shop.Tests.Catalog;

public sealed class NeighbourhoodCheckTests
{
    [Fact]
    public void Problem_RightAnswer_IsNone() => Assert.Null(NeighbourhoodCheck.FindProblem(Cut("app: lib", "lib"), "app"));

    [Fact]
    public void Problem_NoAnswer_IsFound() => Assert.Equal("is missing", NeighbourhoodCheck.FindProblem(null, "app"));

    [Fact]
    public void Problem_OtherPackage_IsFound() =>
        Assert.Equal("has the root app", NeighbourhoodCheck.FindProblem(Cut("app: lib", "lib"), "lib"));

    [Fact]
    public void Problem_BrokenCycle_IsFound()
    {
        var answer = Cut("app: lib", "lib");
        ((Requirement)answer.Root.Dependencies[0]).Target.SetDependents([]);

        Assert.Equal("needs lib, which does not know it", NeighbourhoodCheck.FindProblem(answer, "app"));
    }

    [Fact]
    public void Problem_CopyInsteadOfSharedRoot_IsFound()
    {
        var answer = Cut("app: lib", "lib");
        var stranger = new Package("app", "1", answer.Root.Section, 1);
        answer.Root.SetDependencies([new Requirement(stranger, stranger)]);

        Assert.Contains(
            "does not lead back", NeighbourhoodCheck.FindProblem(answer, "app")!, StringComparison.Ordinal);
    }

    [Fact]
    public void Problem_DependentThatNeedsAnother_IsFound()
    {
        var answer = Cut("app: lib", "lib", "other: lib");
        var root = answer.Root;
        root.SetDependents([new Package("stranger", "1", root.Section, 1)]);

        var problem = NeighbourhoodCheck.FindProblem(answer, "app")!;
        Assert.Contains("stranger, which does not need", problem, StringComparison.Ordinal);
    }

    private static Neighbourhood Cut(params string[] packages)
    {
        var catalog = TestCatalog.Of(packages);
        return NeighbourhoodCutter.Cut("n1", catalog.Find("app")!, 0);
    }
}
