// A web page whose session lies in the cluster: each node answers each request, and a node that dies takes no session
// with it. Start it several times on one machine, and open one page at both addresses:
//
//   dotnet run --project nodes/Samples/SessionInPage -- --urls=http://127.0.0.1:5001 --Cluster:NodeName=one
//   dotnet run --project nodes/Samples/SessionInPage -- --urls=http://127.0.0.1:5002 --Cluster:NodeName=two
using Cluster.Nodes;
using Cluster.Nodes.AspNetCore;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using SessionInPage;

var builder = WebApplication.CreateBuilder(args);

// The nodes of one machine find each other in a folder. On several machines, use UseConsul().
var folder = builder.Configuration["Samples:Folder"]
    ?? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData), "SessionInPage");
builder.AddCluster(options => options.Name = "session-in-page")
    .UseFileStore(folder)
    .AddClusterSession(session => session.AddState<Cart>());
builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));

// The cookie of a session is encrypted. Every node must be able to read it.
builder.Services.AddDataProtection().SetApplicationName("session-in-page").PersistKeysToCluster();

var app = builder.Build();
app.UseSession();
app.MapGet("/", async (ISessionState<Cart> cart, IOptions<ClusterOptions> node) =>
    Results.Content(Page.Show(await cart.GetAsync(), node.Value.NodeName), "text/html; charset=utf-8"));
app.MapPost("/add/{product}", async (string product, ISessionState<Cart> cart) =>
{
    await cart.UpdateAsync(new AddToCart(product));
    return Results.Redirect("/");
});

// Healthy: this node serves, and every value has its copy on another node.
app.MapHealthChecks("/health");
await app.RunAsync();
