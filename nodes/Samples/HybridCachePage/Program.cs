// A hybrid cache: whichever node is asked, a slow value is made once in the whole cluster.
//
//   dotnet run --project nodes/Samples/HybridCachePage -- --urls=http://127.0.0.1:5001 --Cluster:NodeName=one
//   dotnet run --project nodes/Samples/HybridCachePage -- --urls=http://127.0.0.1:5002 --Cluster:NodeName=two
//   curl http://127.0.0.1:5001/products/7
//   curl http://127.0.0.1:5002/products/7
//   curl -X POST http://127.0.0.1:5002/evict
using HybridCachePage;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;

var builder = WebApplication.CreateBuilder(args);

// The nodes of one machine find each other in a folder. On several machines, use UseConsul().
var folder = builder.Configuration["Samples:Folder"]
    ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "HybridCachePage");
builder.AddCluster(options => options.Name = "hybrid-cache-page")
    .UseFileStore(folder)
    .AddClusterHybridCache(cache => cache.ConfigureTypes(types => types.Allow<Product>()));
builder.Services.AddSingleton<Warehouse>();

var app = builder.Build();
app.MapGet("/products/{id:int}", async (int id, HybridCache cache, Warehouse warehouse, CancellationToken token) =>
    await cache.GetOrCreateAsync(
        $"products/{id}",
        async made => await warehouse.FindAsync(id, made),
        new HybridCacheEntryOptions { Expiration = TimeSpan.FromMinutes(10) },
        tags: ["products"],
        cancellationToken: token));
app.MapPost("/evict", async (HybridCache cache, CancellationToken token) =>
{
    await cache.RemoveByTagAsync("products", token);
    return Results.NoContent();
});
await app.RunAsync();
