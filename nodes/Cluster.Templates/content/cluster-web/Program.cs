// One node of the web application. Start several of them, as README.md says: each node answers every request, because
// sessions, cached values and votes lie in the memory of all nodes together.
using Cluster.Nodes;
using Cluster.StateStore;
using Cluster_Web;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.Extensions.Caching.Distributed;

var builder = WebApplication.CreateBuilder(args);

// The nodes of one machine find each other in this folder. It must be the same for all of them.
var folder = builder.Configuration["Store:Folder"] ?? Path.Combine(
    Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "Cluster_Web", "cluster");

// The section Cluster of appsettings.json has the options of the cluster. What is added here is the same on all nodes.
var cluster = builder.AddCluster();
#if (UsesConsul)
if (builder.Environment.IsDevelopment())
    cluster.UseFileStore(folder);
else
    cluster.UseConsul();
#else
cluster.UseFileStore(folder);
#endif
cluster
    .AddClusterSession()                                            // HttpContext.Session
    .AddDistributedCache("cache", cache => cache.Backups = 1)       // IDistributedCache; one copy on another node
    .AddState<string, Votes>("votes");                              // IPartitionedState<string, Votes>

// Without common keys, a node could not read the cookies of another one.
builder.Services.AddDataProtection()
    .SetApplicationName("Cluster_Web")
    .PersistKeysToCluster();

var app = builder.Build();
app.UseSession();

// Which node answers, and which nodes there are.
app.MapGet("/", (ICluster nodes) => new
{
    Node = nodes.Self.Name,
    Nodes = nodes.Nodes.Select(node => node.Node.Name).Order(),
});

// A session: the next node that gets a request of this browser goes on counting.
app.MapPost("/visits", async (HttpContext context) =>
{
    await context.Session.LoadAsync(context.RequestAborted);
    var visits = (context.Session.GetInt32("visits") ?? 0) + 1;
    context.Session.SetInt32("visits", visits);
    return visits;
});

// A cached value: one node has made it, and all nodes find it.
app.MapGet("/pages/{name}", async (string name, IDistributedCache cache, ICluster nodes, CancellationToken aborted) =>
{
    if (await cache.GetStringAsync(name, aborted) is { } known)
        return known;

    var made = $"{name}, made by {nodes.Self.Name}";
    var life = new DistributedCacheEntryOptions { AbsoluteExpirationRelativeToNow = TimeSpan.FromMinutes(10) };
    await cache.SetStringAsync(name, made, life, aborted);
    return made;
});

// State: the operation runs on the node that owns the key, so that no vote is lost.
app.MapPost("/votes/{name}", async (
    string name, IPartitionedState<string, Votes> votes, CancellationToken aborted) =>
    await votes.UpdateAsync(name, new AddVote(), aborted));

app.MapGet("/votes/{name}", async (
    string name, IPartitionedState<string, Votes> votes, CancellationToken aborted) =>
    (await votes.GetAsync(name, aborted))?.Count ?? 0);

// Restart a node that is not live. Send no requests to a node that is not ready: it starts or stops.
app.MapHealthChecks("/health/live", new HealthCheckOptions { Predicate = check => check.Tags.Contains("live") });
app.MapHealthChecks("/health/ready", new HealthCheckOptions { Predicate = check => check.Tags.Contains("ready") });

await app.RunAsync();
