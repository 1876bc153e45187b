using System.Diagnostics.Metrics;
using Cluster.Glue.Observation;

namespace Cluster.Glue.Tests.Observation;

/// <summary>Calls that nobody watches do not pay for it.</summary>
[Collection(nameof(RunsAlone))]
[Trait("Case", "glue-103")]
public sealed class CallObservationTests
{
    private const int Calls = 1000;

    [Fact]
    public void Begin_WhenNobodyListens_AllocatesNothing_AndReadsNoClock()
    {
        using var meter = new Meter("Cluster.Glue.Unheard");
        var (client, server) = (CallInstruments.OfClient(meter), CallInstruments.OfServer(meter));
        var clock = new CountingClock();
        Assert.Null(CallObservation.Begin(client, "first", clock));
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < Calls; i++)
        {
            if (CallObservation.Begin(client, "one", clock) is not null
                || CallObservation.Begin(server, "one", clock, [1]) is not null)
                Assert.Fail("Somebody listens.");
        }

        Assert.Equal((0, 0), (GC.GetAllocatedBytesForCurrentThread() - before, clock.Reads));
    }

    [Fact]
    public async Task Call_ReadsTheClockAsOften_WhetherOrNotThereWasAListenerBefore()
    {
        await using var host = await TracedHost.StartAsync("InProcess");
        var clock = new CountingClock();
        await using var client = host.Connect(options => options.TimeProvider = clock);
        var proxy = client.CreateProxy<ITraced>(host.Address);
        await proxy.SpanAsync();
        var quiet = await CountReadsAsync();
        long heard;
        using (new MeasuredCounts(host.Meters))
            heard = await CountReadsAsync();
        Assert.Equal((quiet + 2, quiet), (heard, await CountReadsAsync()));

        // Timers of the client read the clock as well, now and then.
        async Task<long> CountReadsAsync()
        {
            var least = long.MaxValue;
            for (var call = 0; call < 20; call++)
            {
                var before = clock.Reads;
                await proxy.SpanAsync();
                least = Math.Min(least, clock.Reads - before);
            }

            return least;
        }
    }

    private sealed class CountingClock : TimeProvider
    {
        private long _reads;

        public long Reads => Interlocked.Read(ref _reads);

        public override long GetTimestamp()
        {
            Interlocked.Increment(ref _reads);
            return System.GetTimestamp();
        }
    }
}
