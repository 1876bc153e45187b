using System.Diagnostics;
using Cluster.Benchmarks.Harness;
using Cluster.Glue;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>
/// Calls per second and latencies over the link against one request per call (U) and a bare echo, in two processes;
/// the in-process binding in one. Used by one thread.
/// </summary>
public sealed class GlueArea : IBenchmarkArea
{
    /// <inheritdoc />
    public string Name => "glue";

    /// <inheritdoc />
    public void Run(BenchmarkRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        using PeerProcess peer = PeerProcess.Start();
        using var bare = new BareEcho(peer);
        IPeerService link = GlueClient.Connect<IPeerService>(peer.GlueAddress);
        IPeerService unary = GlueClient.Connect<IPeerService>(
            peer.GlueAddress, new GlueClientOptions { Transport = GlueTransport.Unary });
        // Connections, emitted code and the first tiers of compilation are not what is measured.
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 7 : 30),
            count => CallLoad.RunAsync(256, count, () => link.AddAsync(1, 2)),
            count => CallLoad.RunAsync(256, count, () => unary.AddAsync(1, 2)),
            count => CallLoad.RunAsync(256, count, () => new ValueTask<int>(EchoAsync(bare))),
            count => CallLoad.RunAsync(1, Math.Min(count, 1000), () => link.AddAsync(1, 2)),
            count => MeasureOneWayAsync(link, count));
        if (run.Wants("calls.256", "calls.64", "calls.16", "calls.256.absolute", "calls.1024"))
            RunCalls(run, link, unary);
        if (run.Wants("unary.floor"))
            RunFloor(run, unary, bare);
        if (run.Wants("call.1.p50", "call.1.p50.tcp"))
            RunLatency(run, peer, link, unary);
        if (run.Wants("object.200", "graph.2048"))
            RunPayloads(run, link, unary);
        if (run.Wants("oneway"))
            RunOneWay(run, link);
        if (run.Wants("call.allocated"))
            RunAllocation(run, link);
        if (run.Wants("openloop.p99"))
            RunOpenLoop(run, link);
        RunInProcess(run, GlueInProcessMode.ShareObjects, "inproc", 1);
        RunInProcess(run, GlueInProcessMode.Serialize, "inproc.serialized", 1000);
        BulkRows.Run(run, peer);
        StreamRows.Run(run, peer);
        // Last, because thousands of connections take their time to open and to close.
        if (run.Wants([.. ConnectionRows.Names]))
            ConnectionRows.Run(run, peer, link);
    }

    private static void RunCalls(BenchmarkRun run, IPeerService link, IPeerService unary)
    {
        double at256 = 0;
        foreach (int callers in (int[])[256, 64, 16])
        {
            Race race = Race.Run(
                run.Share(2),
                CallLoad.Callers("link", callers, () => link.AddAsync(1, 2)),
                CallLoad.Callers("u", callers, () => unary.AddAsync(1, 2)));
            run.Report($"calls.{callers}", race.RateRatio("link", "u"));
            if (callers != 256)
                continue;
            at256 = race.Rate("link");
            run.Report("calls.256.absolute", at256 / 1000);
        }

        Race many = Race.Run(run.Share(), CallLoad.Callers("link", 1024, () => link.AddAsync(1, 2)));
        run.Report("calls.1024", many.Rate("link") / at256);
    }

    private static void RunFloor(BenchmarkRun run, IPeerService unary, BareEcho bare)
    {
        Race floor = Race.Run(
            run.Share(),
            CallLoad.Callers("u", 256, () => unary.AddAsync(1, 2)),
            CallLoad.Callers("bare", 256, () => new ValueTask<int>(EchoAsync(bare))));
        run.Report("unary.floor", floor.RateRatio("u", "bare"));
    }

    private static async Task<int> EchoAsync(BareEcho bare)
    {
        await bare.EchoAsync();
        return 0;
    }

    private static void RunLatency(BenchmarkRun run, PeerProcess peer, IPeerService link, IPeerService unary)
    {
        using var tcp = new TcpPing(peer);
        int count = run.IsQuick ? 4000 : 40_000;
        double linkMedian = 0, unaryMedian = 0, tcpMedian = 0;
        for (int round = 0; round < 2; round++)
        {
            linkMedian = MedianOf(count, async () => await link.AddAsync(1, 2));
            unaryMedian = MedianOf(count, async () => await unary.AddAsync(1, 2));
            tcpMedian = MedianOf(count, tcp.PingAsync);
        }

        run.Report("call.1.p50", linkMedian / unaryMedian);
        run.Report("call.1.p50.tcp", linkMedian / tcpMedian);
    }

    private static double MedianOf(int count, Func<Task> call)
    {
        double[] times = new double[count];
        MeasureAsync(times, call).GetAwaiter().GetResult();
        Array.Sort(times);
        return times[count / 2];
    }

    private static async Task MeasureAsync(double[] times, Func<Task> call)
    {
        await Task.Yield();
        for (int i = 0; i < times.Length; i++)
        {
            long started = Stopwatch.GetTimestamp();
            await call();
            times[i] = Stopwatch.GetElapsedTime(started).TotalNanoseconds;
        }
    }

    private static void RunPayloads(BenchmarkRun run, IPeerService link, IPeerService unary)
    {
        var order = new PeerOrder();
        Race orders = Race.Run(
            run.Share(),
            CallLoad.Callers("link", 256, () => link.EchoOrderAsync(order)),
            CallLoad.Callers("u", 256, () => unary.EchoOrderAsync(order)));
        run.Report("object.200", orders.RateRatio("link", "u"));
        PeerNode ring = PeerNode.MakeRing();
        Race graphs = Race.Run(
            run.Share(),
            CallLoad.Callers("link", 256, () => link.EchoGraphAsync(ring)),
            CallLoad.Callers("u", 256, () => unary.EchoGraphAsync(ring)));
        run.Report("graph.2048", graphs.RateRatio("link", "u"));
    }

    private static void RunOneWay(BenchmarkRun run, IPeerService link)
    {
        int count = run.IsQuick ? 300_000 : 3_000_000;
        double best = 0;
        for (int round = 0; round < 3; round++)
            best = Math.Max(best, MeasureOneWayAsync(link, count).GetAwaiter().GetResult());
        run.Report("oneway", best / 1e6, count);
    }

    private static async Task<double> MeasureOneWayAsync(IPeerService link, int count)
    {
        long before = await link.NotesAsync();
        long started = Stopwatch.GetTimestamp();
        for (int i = 0; i < count; i++)
            await link.NoteAsync(i);
        while (await link.NotesAsync() < before + count)
            await Task.Yield();
        return count / Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    private static void RunAllocation(BenchmarkRun run, IPeerService link)
    {
        int count = run.IsQuick ? 200_000 : 2_000_000;
        run.Report("call.allocated", MeasureAllocationAsync(link, count).GetAwaiter().GetResult());
    }

    private static async Task<double> MeasureAllocationAsync(IPeerService link, int count)
    {
        await CallLoad.RunAsync(256, count / 4, () => link.AddAsync(1, 2));
        long before = GC.GetTotalAllocatedBytes() + await link.AllocatedAsync();
        await CallLoad.RunAsync(256, count, () => link.AddAsync(1, 2));
        return (double)(GC.GetTotalAllocatedBytes() + await link.AllocatedAsync() - before) / count;
    }

    private static void RunOpenLoop(BenchmarkRun run, IPeerService link)
    {
        Race peak = Race.Run(run.Share() / 2, CallLoad.Callers("link", 256, () => link.AddAsync(1, 2)));
        double[] times = OpenLoop.Run(link, peak.Rate("link") / 2, run.Share() / 2);
        run.Report("openloop.p99", times[times.Length * 99 / 100] / times[times.Length / 2]);
    }

    private static void RunInProcess(BenchmarkRun run, GlueInProcessMode mode, string row, double unit)
    {
        if (!run.Wants(row))
            return;
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddGlueServer(options =>
        {
            options.InProcessName = row;
            options.InProcessMode = mode;
        }).AddService<IPeerService, PeerService>(GlueInstanceMode.Singleton);
        using IHost host = builder.Build();
        host.Start();
        IPeerService proxy = GlueClient.Connect<IPeerService>("inproc://" + row);
        Race race = Race.Run(run.Share(), CallLoad.Callers("inproc", 1, () => proxy.AddAsync(1, 2)));
        run.Report(row, race.Nanoseconds("inproc") / unit);
        host.StopAsync().GetAwaiter().GetResult();
    }
}
