using Cluster.Glue.Tests.Channels;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Hosting;

/// <summary>What is said of servers and contracts that cannot work, and where Glue is mapped into a host.</summary>
public sealed class ServerStartTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public interface IFaulty
    {
        event EventHandler Changed;

        Task SendAsync(Stream content);

        Task<MemoryStream> ReceiveAsync();

        void Change(ref int value);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public void Contract_WithSeveralProblems_NamesAllOfThem_WhenItsProxyIsMade()
    {
        var refusal = Assert.Throws<NotSupportedException>(
            () => GlueClient.Connect<IFaulty>("http://localhost:1"));
        Assert.Contains("'SendAsync'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("'ReceiveAsync'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("IAsyncEnumerable<byte[]>", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("'Changed'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("'Change'", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task ServerWithServices_ThatNobodyCanReach_DoesNotStart_AndSaysWhatToSet()
    {
        var builder = NewHost();
        builder.Services.AddGlueServer().AddService<IRuns, Runs>();
        using var host = builder.Build();
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync());
        Assert.Contains("Glue:Server:ListenAddress", failure.Message, StringComparison.Ordinal);
        Assert.Contains("MapGlue", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-D")]
    public async Task ServerWithoutServices_Warns()
    {
        using var logs = new LogRecorder().Allow(1012);
        var builder = NewHost();
        builder.Logging.AddProvider(logs.Provider);
        builder.Services.AddGlueServer(options => options.ListenAddress = "http://127.0.0.1:0");
        using var host = builder.Build();
        await host.StartAsync();
        Assert.Contains(logs.Entries, entry => entry.Event.Id == 1012);
        await host.StopAsync();
    }

    private static HostApplicationBuilder NewHost()
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        return builder;
    }
}
