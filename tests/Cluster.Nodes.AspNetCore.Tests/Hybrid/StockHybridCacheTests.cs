using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Hybrid;

/// <summary>The stock hybrid cache passes the same tests.</summary>
public sealed class StockHybridCacheTests : HybridConformanceTests, IDisposable
{
    private readonly ServiceProvider _services;

    public StockHybridCacheTests()
    {
        var services = new ServiceCollection();
        services.AddDistributedMemoryCache();
        services.AddHybridCache(options => options.MaximumPayloadBytes = MaxPayloadBytes);
        _services = services.BuildServiceProvider();
    }

    protected override HybridCache Cache => _services.GetRequiredService<HybridCache>();

    public void Dispose() => _services.Dispose();
}
