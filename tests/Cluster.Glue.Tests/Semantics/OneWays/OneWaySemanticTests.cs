using System.Diagnostics.Metrics;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Cluster.Glue.Tests.Semantics.OneWays;

/// <summary>Calls that nobody waits for. Acceptance cases 39 and 40.</summary>
public abstract class OneWaySemanticTests(SemanticBinding binding) : SemanticTests(binding), IDisposable
{
    private const int OneWayFailedId = 1006;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly LogRecorder _logs = new LogRecorder().Allow(OneWayFailedId);

    public void Dispose()
    {
        _logs.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    [Trait("Case", "glue-40")]
    public async Task Failure_OnTheServer_IsLoggedAndCounted_AndNotFatal()
    {
        using var counts = new MeasuredCounts(Server.Services.GetRequiredService<IMeterFactory>());
        ITiming timing = Proxy<ITiming>();
        await timing.FailSilentlyAsync();
        LogEntry entry = await _logs.WaitForAsync(OneWayFailedId, Bound);
        Assert.Contains("ITiming.FailSilentlyAsync", entry.Message, StringComparison.Ordinal);
        Assert.Equal("nobody hears this", entry.Exception!.Message);
        await timing.FailSilentlyAsync();
        string counted = $"cluster.glue.oneways.failed rpc.method={typeof(ITiming)}.FailSilentlyAsync "
            + "error.type=System.InvalidOperationException";
        await Eventually.TrueAsync(() => counts[counted] == 2, Bound);
        Assert.Equal(2, counts["cluster.glue.oneways.failed"]);
        await timing.NoteAsync("fine");
        Assert.Equal(4, await Proxy<IShapes>().TwiceAsync(2));
        Assert.Equal(2, counts["cluster.glue.oneways.failed"]);
    }

    private protected override void AddServices(GlueServerBuilder glue)
    {
        glue.Services.AddLogging(
            logging => logging.AddProvider(_logs.Provider).AddFilter("Cluster", LogLevel.Warning));
        base.AddServices(glue);
    }
}
