using Shop.Catalog;

namespace Shop.Tests.Catalog;

public sealed class CatalogServiceTests
{
    private readonly CatalogService _service = new(new NodeName("n7"), TestCatalog.Of("app: lib", "lib", "extra"));

    [Fact]
    public async Task ExploreAsync_KnownPackage_AnswersInTheNameOfItsNode()
    {
        var answer = await _service.ExploreAsync("app", 0, CancellationToken.None);

        Assert.Equal("n7", answer!.Node);
        Assert.Equal("app", answer.Root.Name);
    }

    [Fact]
    public async Task ExploreAsync_UnknownPackage_IsNull() =>
        Assert.Null(await _service.ExploreAsync("nothing", 0, CancellationToken.None));

    [Fact]
    public async Task ExploreAsync_BetweenTwoCalls_SeesTheChange()
    {
        var before = await _service.ExploreAsync("app", 0, CancellationToken.None);
        Assert.True(await _service.AddRequirementAsync("app", "extra", CancellationToken.None));
        var after = await _service.ExploreAsync("app", 0, CancellationToken.None);

        Assert.Single(before!.Root.Dependencies);
        Assert.Equal(2, after!.Root.Dependencies.Count);
    }

    [Theory]
    [InlineData("app", "nothing")]
    [InlineData("nothing", "app")]
    public async Task AddRequirementAsync_UnknownPackage_IsFalse(string dependent, string target) =>
        Assert.False(await _service.AddRequirementAsync(dependent, target, CancellationToken.None));
}
