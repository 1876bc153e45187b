using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Glue.Tests.Observation;

/// <summary>Calls are counted and timed on both sides, and the counts add up. Acceptance case 103.</summary>
[Trait("Case", "glue-103")]
public sealed class CallMetricTests(ITestOutputHelper output)
{
    private const int Callers = 8;
    private const int CallsPerCaller = 40;
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<string> Bindings => new(SemanticBinding.Names);

    [Theory]
    [MemberData(nameof(Bindings))]
    public async Task Started_IsTheSumOfTheFourOutcomes_OnBothSides(string binding)
    {
        var seed = Environment.TickCount;
        output.WriteLine($"seed {seed}");
        await using var host = await TracedHost.StartAsync(binding);
        await host.Proxy.SpanAsync();
        using var counts = new MeasuredCounts(host.Meters);
        var seen = new ConcurrentQueue<string>();
        await Task.WhenAll(Enumerable.Range(0, Callers)
            .Select(caller => Task.Run(() => CallAsync(host.Proxy, new Random(seed + caller), seen)))).WaitAsync(Bound);
        foreach (var outcome in (string[])["ok", "failed", "cancelled", "timed_out"])
        {
            var expected = seen.Count(one => one == outcome);
            Assert.True(expected > 0, $"no call ended with {outcome}");
            Assert.Equal(expected, CountEnded("client", outcome));
        }

        Assert.Equal(Callers * CallsPerCaller, counts["cluster.glue.client.calls.started"]);
        Assert.Equal(0, counts["cluster.glue.client.calls.active"]);
        // Methods whose callers have given up end later.
        await Eventually.TrueAsync(() => counts["cluster.glue.server.calls.active"] == 0, Bound);
        Assert.InRange(counts["cluster.glue.server.calls.started"], 1, Callers * CallsPerCaller);
        Assert.Equal(counts["cluster.glue.server.calls.started"], counts["cluster.glue.server.calls.ended"]);
        Assert.Equal(seen.Count(one => one == "failed"), CountEnded("server", "failed"));

        long CountEnded(string side, string outcome) => new[]
        {
            nameof(ITraced.SpanAsync), nameof(ITraced.FailAsync), nameof(ITraced.WaitAsync),
        }.Sum(method => counts[$"cluster.glue.{side}.calls.ended rpc.system.name=glue "
            + $"rpc.method={SpanRecorder.NameOf(method)} outcome={outcome}"]);
    }

    private static async Task CallAsync(ITraced proxy, Random random, ConcurrentQueue<string> seen)
    {
        for (var i = 0; i < CallsPerCaller; i++)
            seen.Enqueue(await OutcomeOfAsync(proxy, random.Next(10)));
    }

    private static async Task<string> OutcomeOfAsync(ITraced proxy, int choice)
    {
        try
        {
            switch (choice)
            {
                case 0:
                    await proxy.FailAsync();
                    break;
                case 1:
                    using (var cancelling = new CancellationTokenSource(TimeSpan.FromMilliseconds(10)))
                        await proxy.WaitAsync(cancelling.Token);
                    break;
                case 2:
                    using (GlueCall.WithDeadline(TimeSpan.FromMilliseconds(10)))
                        await proxy.WaitAsync(CancellationToken.None);
                    break;
                default:
                    await proxy.SpanAsync();
                    break;
            }

            return "ok";
        }
        catch (InvalidOperationException)
        {
            return "failed";
        }
        catch (OperationCanceledException)
        {
            return "cancelled";
        }
        catch (GlueException late) when (late.Kind == GlueErrorKind.Deadline)
        {
            return "timed_out";
        }
    }
}
