using System.Diagnostics.Metrics;
using Cluster.Benchmarks.Glue;
using Cluster.Benchmarks.Harness;
using Cluster.Benchmarks.Rivals;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Session;

namespace Cluster.Benchmarks.Web;

/// <summary>Requests that read their session and change one value of it: the store of the cluster beside the stock store
/// over Redis, both for sessions that lie in other processes. Stateless.</summary>
internal static class SessionRows
{
    private const string TimeRow = "session.time";
    private const string TripsRow = "session.roundtrips";
    private const int Callers = 64;
    private const int CountedRequests = 200;
    private const string CallsStarted = "cluster.glue.client.calls.started";

    private static readonly TimeSpan IdleTimeout = TimeSpan.FromMinutes(20);
    private static readonly TimeSpan IoTimeout = TimeSpan.FromMinutes(1);

    public static readonly string[] Names = [TimeRow, TripsRow];

    public static void Run(BenchmarkRun run, WebSides sides)
    {
        if (!run.Wants(Names))
            return;
        foreach (var store in new[] { sides.OurSessions, sides.StockSessions })
            KeyedLoad.FillAsync(key => RequestAsync(store, key)).GetAwaiter().GetResult();
        if (run.Wants(TripsRow))
            run.Report(TripsRow, CountOurs(sides.OurSessions) / CountStock(sides));
        if (!run.Wants(TimeRow))
            return;
        var ours = KeyedLoad.Writes("ours", Callers, key => RequestAsync(sides.OurSessions, key));
        var stock = KeyedLoad.Writes("stock", Callers, key => RequestAsync(sides.StockSessions, key));
        CallLoad.WarmUp(run, [ours, stock]);
        var race = Race.Run(run.Share(), ours, stock);
        run.Report(TimeRow, race.TimeRatio("ours", "stock"));
    }

    private static async ValueTask<bool> RequestAsync(ISessionStore store, string key)
    {
        var session = store.Create(key, IdleTimeout, IoTimeout, static () => true, isNewSessionKey: false);
        await session.LoadAsync();
        session.SetInt32("visits", (session.GetInt32("visits") ?? 0) + 1);
        await session.CommitAsync();
        return true;
    }

    private static double CountOurs(ISessionStore store)
    {
        var calls = 0L;
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == CallsStarted)
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((_, count, _, _) => Interlocked.Add(ref calls, count));
        listener.Start();
        MakeRequests(store);
        return (double)Interlocked.Read(ref calls) / CountedRequests;
    }

    private static double CountStock(WebSides sides)
    {
        var before = sides.CountRedisCommands();
        MakeRequests(sides.StockSessions);

        // The question for the count is a command itself.
        return (double)(sides.CountRedisCommands() - before - 1) / CountedRequests;
    }

    private static void MakeRequests(ISessionStore store) => Task.Run(async () =>
    {
        for (var number = 0; number < CountedRequests; number++)
            await RequestAsync(store, KeyedLoad.KeyAt(number));
    }).GetAwaiter().GetResult();
}
