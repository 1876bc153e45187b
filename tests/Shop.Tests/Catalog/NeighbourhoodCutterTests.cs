using Cluster.Slim;
using Shop.Catalog;

namespace Shop.Tests.Catalog;

public sealed class NeighbourhoodCutterTests
{
    private const int MaxMessageBytes = 16 * 1024;
    private static readonly SlimSerializer Slim = new();

    [Theory]
    [InlineData("bash")]
    [InlineData("libc6")]
    [InlineData("python3")]
    [InlineData("exim4-base")]
    [InlineData("gnome")]
    [InlineData("0ad-data")]
    public void Cut_KnownPackage_IsRightAndBounded(string name) => CheckCut(TestCatalog.Shipped.Find(name)!, 0);

    [Fact]
    public void Cut_AnyPackage_IsRightAndBounded()
    {
        // The fixed step selects some thousand packages from all parts of the catalog.
        for (var index = 0; index < TestCatalog.Shipped.Packages.Length; index += 23)
            CheckCut(TestCatalog.Shipped.Packages[index], index);
    }

    [Fact]
    public void Cut_TypicalPackages_HoldTenToFortyNodes()
    {
        var sizes = TestCatalog.Shipped.Packages.Where((_, index) => index % 101 == 0)
            .Select(package => NodesOf(NeighbourhoodCutter.Cut("n1", package, 0).Root).Count).Order().ToList();

        Assert.InRange(sizes[sizes.Count / 2], 10, 60);
        Assert.InRange(sizes[^1], 10, 200);
    }

    [Fact]
    public void Cut_Root_HasCyclesThroughDependenciesAndDependents()
    {
        var root = NeighbourhoodCutter.Cut("n1", TestCatalog.Shipped.Find("bash")!, 0).Root;

        var library = Assert.IsType<Requirement>(root.Dependencies[0]).Target;
        Assert.Contains(root, library.Dependents);
        Assert.All(root.Dependents, dependent => Assert.Contains(
            dependent.Dependencies.OfType<Requirement>(), need => need.Target == root));
    }

    [Fact]
    public void Cut_ManyPackages_HoldEveryKindOfDependency()
    {
        var kinds = TestCatalog.Shipped.Packages.Where((_, index) => index % 31 == 0)
            .SelectMany(package => NeighbourhoodCutter.Cut("n1", package, 0).Root.Dependencies)
            .Select(need => need.GetType()).ToHashSet();

        Assert.Superset(
            new HashSet<Type> { typeof(Requirement), typeof(Alternative), typeof(VirtualRequirement) }, kinds);
    }

    [Fact]
    public void Cut_SharedTargets_AreOneObject()
    {
        var catalog = TestCatalog.Of("root: left, right", "left: common", "right: common, left", "common");
        var root = NeighbourhoodCutter.Cut("n1", catalog.Find("root")!, 0).Root;

        var (left, right) = (TargetOf(root, 0), TargetOf(root, 1));

        Assert.Same(left, TargetOf(right, 0));
        Assert.Equal([root, right], left.Dependents);
    }

    [Fact]
    public void Cut_VirtualRequirement_KeepsItsProviders()
    {
        var catalog = TestCatalog.Of("app: editor", "vi:; editor", "ed:; editor");
        var root = NeighbourhoodCutter.Cut("n1", catalog.Find("app")!, 0).Root;

        var editor = Assert.IsType<VirtualRequirement>(Assert.Single(root.Dependencies)).Target;

        Assert.Equal(["vi", "ed"], editor.Providers.Select(provider => provider.Name));
        Assert.All(editor.Providers, provider => Assert.Same(editor, Assert.Single(provider.Provides)));
    }

    [Fact]
    public void Cut_OtherStart_ShowsOtherDependents()
    {
        var library = TestCatalog.Shipped.Find("libc6")!;
        var first = NeighbourhoodCutter.Cut("n1", library, 0).Root.Dependents.Select(package => package.Name);
        var later = NeighbourhoodCutter.Cut("n1", library, 1_000).Root.Dependents.Select(package => package.Name);

        Assert.NotEqual(first, later);
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    public void Cut_AnyStart_Wraps(int from) => CheckCut(TestCatalog.Shipped.Find("libc6")!, from);

    [Fact]
    public void Cut_AfterTheGraphChanged_ShowsTheChange()
    {
        var catalog = TestCatalog.Of("app: lib", "lib", "extra");
        var app = catalog.Find("app")!;
        var before = NeighbourhoodCutter.Cut("n1", app, 0).Root;

        catalog.AddRequirement(app, catalog.Find("extra")!);
        app.CountOrder(3);
        var after = NeighbourhoodCutter.Cut("n1", app, 0).Root;

        Assert.Equal(["lib"], before.Dependencies.Select(need => need.Name));
        Assert.Equal(0, before.OrderCount);
        Assert.Equal(["lib", "extra"], after.Dependencies.Select(need => need.Name));
        Assert.Equal(3, after.OrderCount);
    }

    private static Package TargetOf(Package package, int index) =>
        Assert.IsType<Requirement>(package.Dependencies[index]).Target;

    private static void CheckCut(Package live, int from)
    {
        var cut = NeighbourhoodCutter.Cut("n1", live, from);

        Assert.Null(NeighbourhoodCheck.FindProblem(cut, live.Name));
        Assert.InRange(cut.PackageCount, 1, NeighbourhoodCutter.PackageCountMax);
        Assert.Equal(live.Dependents.Count, cut.DependentCount);
        var objects = NodesOf(cut.Root);
        Assert.DoesNotContain(live, objects);
        var bytes = Slim.Serialize(cut);
        Assert.InRange(bytes.Length, 50, MaxMessageBytes);
        Assert.Null(NeighbourhoodCheck.FindProblem(Slim.Deserialize<Neighbourhood>(bytes), live.Name));
    }

    private static HashSet<object> NodesOf(Package root)
    {
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var open = new Stack<object>([root]);
        while (open.TryPop(out var node))
        {
            if (!seen.Add(node))
                continue;

            foreach (var next in NextOf(node))
                open.Push(next);
        }

        return seen;
    }

    private static IEnumerable<object> NextOf(object node) => node switch
    {
        Package package => [.. package.Dependencies, .. package.Dependents, .. package.Provides],
        Requirement requirement => [requirement.Target, requirement.Dependent],
        VirtualRequirement requirement => [requirement.Target, requirement.Dependent],
        Alternative alternative => [.. alternative.Choices, alternative.Dependent],
        VirtualPackage provided => [.. provided.Providers],
        _ => [],
    };
}
