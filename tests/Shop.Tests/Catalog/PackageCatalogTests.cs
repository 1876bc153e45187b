using Shop.Catalog;

namespace Shop.Tests.Catalog;

public sealed class PackageCatalogTests
{
    [Fact]
    public void LoadEmbedded_AllPackages_AreConnectedByAQuarterMillionEdges()
    {
        var dependencies = TestCatalog.Shipped.Packages.SelectMany(package => package.Dependencies).ToList();
        var edges = dependencies.SelectMany(Leaves).ToList();

        Assert.Equal(63_436, TestCatalog.Shipped.Packages.Length);
        Assert.InRange(edges.OfType<Requirement>().Count(), 240_000, 280_000);
        Assert.True(dependencies.OfType<Alternative>().Count() > 5_000, "alternatives");
        Assert.True(edges.OfType<VirtualRequirement>().Count() > 2_000, "virtual packages");
        Assert.NotEmpty(edges.OfType<ExternalRequirement>());
    }

    [Fact]
    public void LoadEmbedded_KnownPackages_HaveTheirKnownNeighbours()
    {
        var shell = Find("bash");

        Assert.Equal("shells", shell.Section.Name);
        Assert.Equal(7_164, shell.InstalledKibibytes);
        Assert.Equal(["libc6", "libtinfo6", "base-files", "debianutils"], shell.Dependencies.Select(need => need.Name));
        Assert.Same(Find("libc6"), Assert.IsType<Requirement>(shell.Dependencies[0]).Target);
        Assert.Contains(shell, Find("libc6").Dependents);
        Assert.True(Find("libc6").Dependents.Count > 15_000, "almost everything needs the C library");
    }

    [Fact]
    public void LoadEmbedded_AllReferences_LeadBothWays()
    {
        foreach (var package in TestCatalog.Shipped.Packages)
        {
            Assert.All(package.Dependencies, need => Assert.Same(package, need.Dependent));
            foreach (var target in package.Dependencies.SelectMany(Leaves).OfType<Requirement>())
                Assert.True(target.Target.Dependents.Count > 0, $"{target.Name} does not know {package.Name}");
        }
    }

    [Fact]
    public void Build_EachFormOfDependency_BecomesItsType()
    {
        var catalog = TestCatalog.Of(
            "app: lib, mail | post, editor, elsewhere", "lib", "mail", "vi:; editor", "ed:; editor");
        var needs = catalog.Find("app")!.Dependencies;

        Assert.Same(catalog.Find("lib"), Assert.IsType<Requirement>(needs[0]).Target);
        var choices = Assert.IsType<Alternative>(needs[1]).Choices;
        Assert.Same(catalog.Find("mail"), Assert.IsType<Requirement>(choices[0]).Target);
        Assert.Equal("post", Assert.IsType<ExternalRequirement>(choices[1]).Name);
        var editor = Assert.IsType<VirtualRequirement>(needs[2]).Target;
        Assert.Equal([catalog.Find("vi")!, catalog.Find("ed")!], editor.Providers);
        Assert.Same(editor, Assert.Single(catalog.Find("vi")!.Provides));
        Assert.Equal("elsewhere", Assert.IsType<ExternalRequirement>(needs[3]).Name);
        Assert.Equal("mail | post", needs[1].Name);
    }

    [Fact]
    public void Build_NameThatIsRealAndVirtual_IsTheRealOne()
    {
        var catalog = TestCatalog.Of("app: editor", "editor", "vi:; editor");

        Assert.Same(catalog.Find("editor"), Assert.IsType<Requirement>(catalog.Find("app")!.Dependencies[0]).Target);
    }

    [Fact]
    public void Build_SameNameTwice_IsRefused()
    {
        var failure = Assert.Throws<InvalidDataException>(() => TestCatalog.Of("a", "b", "a"));

        Assert.Contains("a twice", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void AddRequirement_NewPair_IsSeenFromBothSidesOnce()
    {
        var catalog = TestCatalog.Of("a", "b");
        var (from, to) = (catalog.Find("a")!, catalog.Find("b")!);

        catalog.AddRequirement(from, to);
        catalog.AddRequirement(from, to);

        Assert.Same(to, Assert.IsType<Requirement>(Assert.Single(from.Dependencies)).Target);
        Assert.Same(from, Assert.Single(to.Dependents));
    }

    [Fact]
    public async Task AddRequirement_FromManyThreads_KeepsEveryOne()
    {
        var catalog = TestCatalog.Of([.. Enumerable.Range(0, 101).Select(index => $"p{index}")]);
        var hub = catalog.Find("p0")!;

        await Parallel.ForAsync(1, 101, (index, _) =>
        {
            catalog.AddRequirement(catalog.Find($"p{index}")!, hub);
            return ValueTask.CompletedTask;
        });

        Assert.Equal(100, hub.Dependents.Distinct().Count());
    }

    [Fact]
    public void Find_UnknownName_IsNull() => Assert.Null(TestCatalog.Shipped.Find("no-such-package"));

    private static Package Find(string name) => TestCatalog.Shipped.Find(name)!;

    private static IEnumerable<Dependency> Leaves(Dependency need) =>
        need is Alternative alternative ? alternative.Choices : [need];
}
