using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Nodes.AspNetCore.Tests.Docs;

/// <summary>Runs what <c>docs/web-sessions.md</c> shows.</summary>
public sealed class SessionPageTests
{
    [Fact]
    public async Task Sessions_AsPrinted_Work()
    {
        // <snippet:sessions>
        var builder = WebApplication.CreateBuilder();
        builder.AddCluster(options => options.Name = "shop")
            .UseInMemoryStore()
            .AddClusterSession(session => session.AddState<Cart>());
        builder.Services.AddSession(options => options.IdleTimeout = TimeSpan.FromMinutes(20));

        await using var app = builder.Build();
        app.UseSession();
        app.MapPost("/visit", async (HttpContext context) =>
        {
            await context.Session.LoadAsync();                              // one call to the owner of the session
            var visits = context.Session.GetInt32("visits") ?? 0;
            context.Session.SetInt32("visits", visits + 1);                 // sent when the request ends, this key only
            return visits + 1;
        });
        app.MapPost("/cart/{product}", async (string product, ISessionState<Cart> cart) =>
            await cart.UpdateAsync(new AddToCart(product)));                // one call; two requests at once both count
        app.MapGet("/cart", async (ISessionState<Cart> cart) => (await cart.GetAsync())?.Counts);
        // </snippet:sessions>
        app.Urls.Add("http://127.0.0.1:0");
        await app.StartAsync();
        using var browser = new HttpClient { BaseAddress = new Uri(app.Urls.First()) };
        Assert.Equal("1", await PostAsync(browser, "visit"));
        Assert.Equal("2", await PostAsync(browser, "visit"));
        Assert.Equal("1", await PostAsync(browser, "cart/tea"));
        var both = await Task.WhenAll(PostAsync(browser, "cart/tea"), PostAsync(browser, "cart/tea"));
        Assert.Equal(["2", "3"], both.Order());
        Assert.Equal("{\"tea\":3}", await browser.GetStringAsync(new Uri("cart", UriKind.Relative)));
        Assert.Equal("3", await PostAsync(browser, "visit"));
        await app.StopAsync();
    }

    private static async Task<string> PostAsync(HttpClient browser, string path)
    {
        using var answer = await browser.PostAsync(new Uri(path, UriKind.Relative), content: null);
        return await answer.EnsureSuccessStatusCode().Content.ReadAsStringAsync();
    }
}
