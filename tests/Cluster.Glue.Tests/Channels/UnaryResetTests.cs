using Cluster.Glue.Tests.Wire;
using Cluster.Glue.Wire;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Channels;

/// <summary>Peers that break off in the middle of a request are nothing that an operator has to read of.</summary>
public sealed class UnaryResetTests : IDisposable
{
    private const int RoundCount = 10;
    private const int CallerCount = 16;
    private const int CallsEach = 40;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new();

    public void Dispose() => _logs.Dispose();

    [Theory]
    [Trait("Case", "repair-B4")]
    [InlineData(GlueWire.CallPath)]
    [InlineData(RawGrpc.LinkPath)]
    public async Task ConnectionReset_InTheMiddleOfARequest_LogsNoError(string path)
    {
        await using var host = await GlueHost.StartAsync(addServices: glue =>
        {
            glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider));
            glue.AddService<IRuns, Runs>();
        });
        for (var i = 0; i < RoundCount; i++)
            await ResetRequest.SendAsync(new Uri(host.Address + path));
        await using var client = new GlueClient(new GlueClientOptions { Transport = GlueTransport.Unary });
        Assert.Equal(1, await client.CreateProxy<IRuns>(host.Address).AddAsync().WaitAsync(Bound));
        // Its requests have ended when the host has stopped.
        await host.StopAsync();
        Assert.DoesNotContain(_logs.Entries, entry => entry.Level >= LogLevel.Warning);
    }

    [Fact]
    [Trait("Case", "repair-B4")]
    [Trait("Case", "experience-M4")]
    public async Task ConnectionsReset_DuringCalls_LogNoError()
    {
        var seed = Environment.TickCount;
        try
        {
            await ResetDuringCallsAsync(seed);
        }
        catch (Exception exception)
        {
            throw new InvalidOperationException($"seed {seed}", exception);
        }
    }

    private async Task ResetDuringCallsAsync(int seed)
    {
        await using var host = await GlueHost.StartAsync(addServices: glue =>
        {
            glue.Services.AddLogging(logging => logging.AddProvider(_logs.Provider));
            glue.AddService<UnaryDeliveryTests.IEcho, UnaryDeliveryTests.Echo>();
        });
        await using var relay = new ResettingRelay(host.Address, seed);
        await using var client = new GlueClient(
            new GlueClientOptions { Transport = GlueTransport.Unary, DefaultDeadline = Bound });
        var echo = client.CreateProxy<UnaryDeliveryTests.IEcho>(relay.Address);
        await Task.WhenAll(Enumerable.Range(0, CallerCount).Select(async caller =>
        {
            for (var i = 0; i < CallsEach; i++)
            {
                try
                {
                    await echo.EchoAsync(new byte[(caller * 997) + (i * 89)]).WaitAsync(Bound);
                }
                catch (GlueException)
                {
                    // Cut off; the next one gets another connection.
                }
            }
        }));
        await host.StopAsync();
        LogEntry[] seen = [.. _logs.Entries.Where(entry => entry.Level >= LogLevel.Warning)];
        Assert.True(seen.Length == 0, string.Join(Environment.NewLine, seen.Take(3)));
    }
}
