namespace Cluster.Glue.Tests.Semantics.Exceptions;

/// <summary>The switch that keeps stacks and data on the server. Acceptance case 25.</summary>
public sealed class ExceptionDetailTests
{
    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "glue-25")]
    [Trait("Case", "repair-A10")]
    public async Task ByDefault_CallersLearnTypeMessageAndCauses_OfUnlistedTypes(GlueTransport transport)
    {
        await using var host = await StartAsync();
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        var exception = await Assert.ThrowsAsync<RemoteException>(
            () => client.CreateProxy<IThrower>(host.Address).ThrowUnlistedAsync());
        Assert.Equal("outer", exception.Message);
        Assert.Equal("cause", exception.InnerException!.Message);
        Assert.Null(exception.RemoteStackTrace);
        Assert.Empty(exception.Data);
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "repair-A10")]
    public async Task ByDefault_ListedTypesComeBack_WithoutStackAndData(GlueTransport transport)
    {
        await using var host = await StartAsync();
        await using var client = new GlueClient(new GlueClientOptions
        {
            Transport = transport, ConfigureTypes = types => types.Allow<StockException>(),
        });
        var exception = await Assert.ThrowsAsync<StockException>(
            () => client.CreateProxy<IThrower>(host.Address).ThrowStockAsync());
        Assert.Equal(("shelf 3", 3), (exception.Message, exception.Shelf));
        Assert.IsType<InvalidOperationException>(exception.InnerException);
        Assert.DoesNotContain(nameof(Thrower) + ".ThrowStockAsync()", exception.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("MoveNext", exception.InnerException!.ToString(), StringComparison.Ordinal);
        Assert.Empty(exception.Data);
    }

    private static Task<GlueHost> StartAsync() =>
        GlueHost.StartAsync(
            options => options.ConfigureTypes = types => types.Allow<StockException>(),
            glue => glue.AddService<IThrower, Thrower>());
}
