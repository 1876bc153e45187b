using Cluster.Glue;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Shop.Catalog;

namespace Shop.Tests.Catalog;

/// <summary>The catalog's graphs over a real connection.</summary>
public sealed class CatalogOverGlueTests
{
    // Load tests that run at the same time keep the thread pool busy for seconds, and no test here is about time.
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Fact]
    public async Task ExploreAsync_GraphChangesBetweenCalls_EachReplyIsTheGraphOfItsMoment()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddSingleton(new NodeName("n7"))
            .AddSingleton(TestCatalog.Of("app: lib | other", "lib", "extra"));
        builder.Services.AddGlueServer(options =>
            {
                options.ListenAddress = "http://127.0.0.1:0";
                options.HandshakeTimeout = Bound;
            })
            .AddService<ICatalog, CatalogService>(GlueInstanceMode.Singleton);
        using var host = builder.Build();
        await host.StartAsync();
        await using var client = new GlueClient(new GlueClientOptions { ConnectTimeout = Bound, DefaultDeadline = Bound });
        var catalog = client.CreateProxy<ICatalog>(host.Services.GetRequiredService<GlueListener>().Address!);

        var before = await catalog.ExploreAsync("app", 0);
        Assert.True(await catalog.AddRequirementAsync("app", "extra"));
        var after = await catalog.ExploreAsync("app", 0);

        Assert.Null(NeighbourhoodCheck.FindProblem(before, "app"));
        Assert.Null(NeighbourhoodCheck.FindProblem(after, "app"));
        Assert.Equal(["lib | other"], before!.Root.Dependencies.Select(need => need.Name));
        Assert.Equal(["lib | other", "extra"], after!.Root.Dependencies.Select(need => need.Name));
        Assert.IsType<Alternative>(after.Root.Dependencies[0]);
        Assert.Null(await catalog.ExploreAsync("nothing", 0));
        await host.StopAsync();
    }
}
