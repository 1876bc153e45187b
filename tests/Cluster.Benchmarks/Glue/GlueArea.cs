using Cluster.Benchmarks.Harness;
using Cluster.Glue;
using Cluster.Slim;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Cluster.Benchmarks.Glue;

/// <summary>Calls per second and latencies over the link against U, a stock gRPC unary call of as many bytes without a
/// serializer, in two processes; the in-process binding in one. Used by one thread.</summary>
public sealed class GlueArea : IBenchmarkArea
{
    private static readonly int[] CallerCounts = [256, 64, 16, 1024];

    /// <inheritdoc />
    public string Name => "glue";

    /// <inheritdoc />
    public void Run(BenchmarkRun run)
    {
        ArgumentNullException.ThrowIfNull(run);
        using var peer = PeerProcess.Start();
        using var stock = new StockClient(peer);
        var small = StockClient.MessageOf(StockClient.SmallBytes);
        var link = GlueClient.Connect<IPeerService>(peer.GlueAddress);
        var unary = GlueClient.Connect<IPeerService>(
            peer.GlueAddress, new GlueClientOptions { Transport = GlueTransport.Unary });
        // Connections, emitted code and the first tiers of compilation are not what is measured.
        CallLoad.WarmUp(
            TimeSpan.FromSeconds(run.IsQuick ? 5 : 30),
            count => CallLoad.RunAsync(256, count, () => link.AddAsync(1, 2)),
            count => CallLoad.RunAsync(64, count, () => unary.AddAsync(1, 2)),
            count => CallLoad.RunAsync(256, count, () => stock.EchoAsync(small)),
            count => CallLoad.RunAsync(256, count, () => stock.EchoOnStreamAsync(small)),
            count => CallLoad.RunAsync(1, Math.Min(count, 1000), () => link.AddAsync(1, 2)),
            count => MeasureOneWayAsync(link, count));
        if (run.Wants("calls.256.stream", "calls.256.absolute", "calls.1024.steady")
            || run.Wants([.. CallerCounts.Select(callers => $"calls.{callers}")]))
            RunCalls(run, link, stock);
        if (run.Wants("unary.64"))
            RunUnary(run, unary, stock);
        if (run.Wants("call.1.p50", "call.1.p50.tcp"))
            RunLatency(run, peer, link, stock);
        if (run.Wants("object.200", "graph.2048"))
            RunPayloads(run, link, stock);
        if (run.Wants("oneway"))
            RunOneWay(run, link);
        if (run.Wants("call.allocated"))
            RunAllocation(run, link);
        if (run.Wants("openloop.p99"))
            RunOpenLoop(run, link);
        RunInProcess(run, GlueInProcessMode.ShareObjects, "inproc", 1);
        RunInProcess(run, GlueInProcessMode.Serialize, "inproc.serialized", 1000);
        RivalCallRows.Run(run, peer, link);
        TlsRows.Run(run, peer, link);
        IdleLinkRows.Run(run);
        BulkRows.Run(run, peer);
        StreamRows.Run(run, peer);
        // Last, because thousands of connections take their time to open and to close.
        if (run.Wants([.. ConnectionRows.Names]))
            ConnectionRows.Run(run, peer, link);
    }

    private static void RunCalls(BenchmarkRun run, IPeerService link, StockClient stock)
    {
        var small = StockClient.MessageOf(StockClient.SmallBytes);
        double at256 = 0;
        foreach (var callers in CallerCounts)
        {
            // Three rows and what another one is measured against come from the first.
            var race = Race.Run(
                run.Share(callers == 256 ? 2 : 1),
                CallLoad.Callers("link", callers, () => link.AddAsync(1, 2)),
                CallLoad.Callers("stream", callers, () => stock.EchoOnStreamAsync(small)),
                CallLoad.Callers("u", callers, () => stock.EchoAsync(small)));
            run.Report($"calls.{callers}", race.RateRatio("link", "u"));
            if (callers == 1024)
                run.Report("calls.1024.steady", race.Rate("link") / at256);
            if (callers != 256)
                continue;
            at256 = race.Rate("link");
            run.Report("calls.256.stream", race.RateRatio("link", "stream"));
            run.Report("calls.256.absolute", at256 / 1000);
        }
    }

    private static void RunUnary(BenchmarkRun run, IPeerService unary, StockClient stock)
    {
        var small = StockClient.MessageOf(StockClient.SmallBytes);
        var race = Race.Run(
            run.Share(),
            CallLoad.Callers("unary", 64, () => unary.AddAsync(1, 2)),
            CallLoad.Callers("u", 64, () => stock.EchoAsync(small)));
        run.Report("unary.64", race.RateRatio("unary", "u"));
    }

    private static void RunLatency(BenchmarkRun run, PeerProcess peer, IPeerService link, StockClient stock)
    {
        using var tcp = new TcpPing(peer);
        var small = StockClient.MessageOf(StockClient.SmallBytes);
        var count = run.IsQuick ? 2000 : 40_000;
        double linkMedian = double.MaxValue, stockMedian = double.MaxValue, tcpMedian = double.MaxValue;
        // The best round of each: a round is shorter than what else the machine does now and then.
        for (var round = 0; round < 4; round++)
        {
            linkMedian = Math.Min(linkMedian, MedianOf(count, async () => await link.AddAsync(1, 2)));
            stockMedian = Math.Min(stockMedian, MedianOf(count, async () => await stock.EchoAsync(small)));
            tcpMedian = Math.Min(tcpMedian, MedianOf(count, tcp.PingAsync));
        }

        run.Report("call.1.p50", linkMedian / stockMedian);
        run.Report("call.1.p50.tcp", linkMedian / tcpMedian);
    }

    private static double MedianOf(int count, Func<Task> call)
    {
        var times = new double[count];
        MeasureAsync(times, call).GetAwaiter().GetResult();
        Array.Sort(times);
        return times[count / 2];
    }

    private static async Task MeasureAsync(double[] times, Func<Task> call)
    {
        await Task.Yield();
        for (var i = 0; i < times.Length; i++)
        {
            var started = Stopwatch.GetTimestamp();
            await call();
            times[i] = Stopwatch.GetElapsedTime(started).TotalNanoseconds;
        }
    }

    // U carries as many bytes as the object or graph takes on the wire; the graph itself it could not carry.
    private static void RunPayloads(BenchmarkRun run, IPeerService link, StockClient stock)
    {
        var serializer = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known });
        var order = new PeerOrder();
        var ring = PeerNode.MakeRing();
        RunPayload(run, "object.200", () => link.EchoOrderAsync(order), stock, serializer.Serialize(order).Length);
        RunPayload(run, "graph.2048", () => link.EchoGraphAsync(ring), stock, serializer.Serialize(ring).Length);
    }

    private static void RunPayload<T>(
        BenchmarkRun run, string row, Func<ValueTask<T>> call, StockClient stock, int bytes)
    {
        var message = StockClient.MessageOf(bytes);
        // Unlike that of the rival, the code for these objects has not run before.
        CallLoad.WarmUp(TimeSpan.FromSeconds(run.IsQuick ? 1 : 10), count => CallLoad.RunAsync(256, count, call));
        var race = Race.Run(
            run.Share(),
            CallLoad.Callers("link", 256, call),
            CallLoad.Callers("u", 256, () => stock.EchoAsync(message)));
        run.Report(row, race.RateRatio("link", "u"));
    }

    private static void RunOneWay(BenchmarkRun run, IPeerService link)
    {
        var count = run.IsQuick ? 300_000 : 3_000_000;
        double best = 0;
        for (var round = 0; round < 3; round++)
            best = Math.Max(best, MeasureOneWayAsync(link, count).GetAwaiter().GetResult());
        run.Report("oneway", best / 1e6, count);
    }

    private static async Task<double> MeasureOneWayAsync(IPeerService link, int count)
    {
        var before = await link.NotesAsync();
        var started = Stopwatch.GetTimestamp();
        for (var i = 0; i < count; i++)
            await link.NoteAsync(i);
        while (await link.NotesAsync() < before + count)
            await Task.Yield();
        return count / Stopwatch.GetElapsedTime(started).TotalSeconds;
    }

    private static void RunAllocation(BenchmarkRun run, IPeerService link)
    {
        var count = run.IsQuick ? 200_000 : 2_000_000;
        run.Report("call.allocated", MeasureAllocationAsync(link, count).GetAwaiter().GetResult());
    }

    private static async Task<double> MeasureAllocationAsync(IPeerService link, int count)
    {
        await CallLoad.RunAsync(256, count / 4, () => link.AddAsync(1, 2));
        var before = GC.GetTotalAllocatedBytes() + await link.AllocatedAsync();
        await CallLoad.RunAsync(256, count, () => link.AddAsync(1, 2));
        return (double)(GC.GetTotalAllocatedBytes() + await link.AllocatedAsync() - before) / count;
    }

    private static void RunOpenLoop(BenchmarkRun run, IPeerService link)
    {
        var peak = Race.Run(run.Share() / 2, CallLoad.Callers("link", 256, () => link.AddAsync(1, 2)));
        var times = OpenLoop.Run(link, peak.Rate("link") / 2, run.Share() / 2);
        run.Report("openloop.p99", times[times.Length * 99 / 100] / times[times.Length / 2]);
    }

    private static void RunInProcess(BenchmarkRun run, GlueInProcessMode mode, string row, double unit)
    {
        if (!run.Wants(row))
            return;
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddGlueServer(options =>
        {
            options.InProcessName = row;
            options.InProcessMode = mode;
        }).AddService<IPeerService, PeerService>(GlueInstanceMode.Singleton);
        using var host = builder.Build();
        host.Start();
        var proxy = GlueClient.Connect<IPeerService>("inproc://" + row);
        var race = Race.Run(run.Share(), CallLoad.Callers("inproc", 1, () => proxy.AddAsync(1, 2)));
        run.Report(row, race.Nanoseconds("inproc") / unit);
        host.StopAsync().GetAwaiter().GetResult();
    }
}
