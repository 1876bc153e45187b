using Cluster.Glue.Resilience;
using Microsoft.Extensions.DependencyInjection;
using Polly;
using Polly.Timeout;

namespace Cluster.Glue.Tests.Docs;

/// <summary>The code of docs/resilience.md, run.</summary>
public sealed class ResiliencePageTests
{
    // <snippet:contract>
    public interface IPrices
    {
        [Idempotent]
        Task<decimal> FindAsync(string product, CancellationToken cancellationToken = default);

        Task SetAsync(string product, decimal price);
    }
    // </snippet:contract>

    internal sealed class Prices : IPrices
    {
        public Task<decimal> FindAsync(string product, CancellationToken cancellationToken) => Task.FromResult(7m);

        public Task SetAsync(string product, decimal price) => Task.CompletedTask;
    }

    [Fact]
    public async Task Resilience_IsAdded_AsOnThePage()
    {
        await using var host = await GlueHost.StartAsync(addServices: glue => glue.AddService<IPrices, Prices>());
        var address = host.Address;
        var services = new ServiceCollection();
        // <snippet:add>
        services.AddGlueClient<IPrices>(address).AddResilience(p =>
        {
            p.Retry!.MaxRetryAttempts = 3;
            p.Hedging = new GlueHedgingOptions { Delay = TimeSpan.FromMilliseconds(50) };
            p.Breaker!.Pause = TimeSpan.FromSeconds(10);
            p.Bulkhead = new GlueBulkheadOptions { MaxCalls = 64 };
        });
        // </snippet:add>
        await using var provider = services.BuildServiceProvider();
        Assert.Equal(7m, await provider.GetRequiredService<IPrices>().FindAsync("tea"));
    }

    [Fact]
    public async Task Resilience_WithoutAContainer_IsAnOption()
    {
        await using var host = await GlueHost.StartAsync(addServices: glue => glue.AddService<IPrices, Prices>());
        var address = host.Address;
        var rejected = 0;
        // <snippet:alone>
        var resilience = new GlueResilienceOptions
        {
            IsIdempotent = method => method.Name.StartsWith("Set", StringComparison.Ordinal),
            ConfigurePipeline = pipeline => pipeline.AddTimeout(new TimeoutStrategyOptions
            {
                Timeout = TimeSpan.FromSeconds(30),
                OnTimeout = _ =>
                {
                    rejected++;
                    return default;
                },
            }),
        };
        var prices = GlueClient.Connect<IPrices>(address, proxy: new GlueProxyOptions { Resilience = resilience });
        await prices.SetAsync("tea", 7);
        // </snippet:alone>
        Assert.Equal(0, rejected);
    }
}
