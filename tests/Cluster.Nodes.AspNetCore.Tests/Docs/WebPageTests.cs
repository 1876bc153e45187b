using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Cluster.Nodes.AspNetCore.Protection;
using Cluster.StateStore;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.OutputCaching;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Docs;

/// <summary>Runs what <c>docs/web.md</c> shows of the distributed cache, output caching and Data Protection.</summary>
public sealed class WebPageTests
{
    private const string AnyPort = "http://127.0.0.1:0";

    [Fact]
    public async Task DistributedCache_AsPrinted_Works()
    {
        // <snippet:cache>
        var builder = WebApplication.CreateBuilder();
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()                                 // or UseFileStore(folder), or UseConsul()
            .AddDistributedCache()                              // IDistributedCache for the whole application
            .AddDistributedCache("carts", cache => cache.Backups = 1);
        // </snippet:cache>
        await using var app = Build(builder);
        await app.StartAsync();
        var (cache, carts) = (CacheOf(app, null), CacheOf(app, "carts"));

        // <snippet:use-cache>
        await cache.SetStringAsync("greeting", "hello", new DistributedCacheEntryOptions
        {
            SlidingExpiration = TimeSpan.FromMinutes(20),                       // after the last read
            AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(8),            // in any case
        });
        var greeting = await cache.GetStringAsync("greeting");
        // </snippet:use-cache>
        Assert.Equal("hello", greeting);
        Assert.NotSame(cache, carts);
    }

    [Fact]
    public async Task OutputCache_AsPrinted_Works()
    {
        var builder = WebApplication.CreateBuilder();
        builder.WebHost.UseUrls(AnyPort);

        // <snippet:output>
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddOutputCacheStore();
        builder.Services.AddOutputCache();

        var app = builder.Build();
        app.UseOutputCache();
        app.MapGet("/products", () => "tea, coffee")
            .CacheOutput(policy => policy.Expire(TimeSpan.FromMinutes(10)).Tag("products"));
        app.MapPost("/products", async (IOutputCacheStore pages, CancellationToken cancellationToken) =>
            await pages.EvictByTagAsync("products", cancellationToken));        // on all nodes, when it returns
        // </snippet:output>
        await using var started = app;
        await app.StartAsync();
        using var http = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
        Assert.Equal("tea, coffee", await http.GetStringAsync("/products"));
        using var evicted = await http.PostAsync("/products", null);
        Assert.True(evicted.IsSuccessStatusCode);
    }

    [Fact]
    public async Task DataProtection_AsPrinted_Works()
    {
        var builder = WebApplication.CreateBuilder();
        using var certificate = CreateCertificate();

        // <snippet:protection>
        builder.AddCluster(options => options.Name = "shop").UseInMemoryStore();
        builder.Services.AddDataProtection()
            .SetApplicationName("shop")                         // the same on all nodes
            .PersistKeysToCluster()
            .ProtectKeysWithCertificate(certificate);           // the same on all nodes, with its private key
        // </snippet:protection>
        await using var app = Build(builder);
        await app.StartAsync();
        var protector = app.Services.GetRequiredService<IDataProtectionProvider>().CreateProtector("cookies");
        Assert.Equal("secret", protector.Unprotect(protector.Protect("secret")));
        var keys = app.Services.GetRequiredKeyedService<IPartitionedState<string, StoredKeys>>("data-protection-keys");
        Assert.NotNull(await keys.GetAsync(ClusterKeyRepository.RingKey));
    }

    private static WebApplication Build(WebApplicationBuilder builder)
    {
        builder.WebHost.UseUrls(AnyPort);
        return builder.Build();
    }

    private static IDistributedCache CacheOf(WebApplication app, string? name) => name is null
        ? app.Services.GetRequiredService<IDistributedCache>()
        : app.Services.GetRequiredKeyedService<IDistributedCache>(name);

    private static X509Certificate2 CreateCertificate()
    {
        using var key = RSA.Create(2_048);
        var request = new CertificateRequest("CN=keys", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }
}
