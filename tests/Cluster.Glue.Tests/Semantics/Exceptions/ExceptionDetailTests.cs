using Cluster.Contracts;

namespace Cluster.Glue.Tests.Semantics.Exceptions;

/// <summary>The switch that keeps stacks and data on the server. Acceptance case 25.</summary>
public sealed class ExceptionDetailTests
{
    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    [Trait("Case", "glue-25")]
    public async Task WithoutStack_CallersLearnTypeMessageAndCauses(GlueTransport transport)
    {
        await using GlueHost host = await GlueHost.StartAsync(
            options => options.ExceptionDetail = GlueExceptionDetail.WithoutStack,
            glue => glue.AddService<IThrower, Thrower>());
        await using var client = new GlueClient(new GlueClientOptions { Transport = transport });
        var exception = await Assert.ThrowsAsync<RemoteException>(
            () => client.CreateProxy<IThrower>(host.Address).ThrowUnlistedAsync());
        Assert.Equal("outer", exception.Message);
        Assert.Equal("cause", exception.InnerException!.Message);
        Assert.Null(exception.RemoteStackTrace);
        Assert.Empty(exception.Data);
    }
}
