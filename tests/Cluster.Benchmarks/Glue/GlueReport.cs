using Cluster.Glue;

namespace Cluster.Benchmarks.Glue;

/// <summary>The command <c>glue-report [--seconds 2]</c>: rate, times, processor time and bytes of a small call by
/// number of callers, over the link and with one request per call, at a rate, and how many calls share a batch.
/// Stateless.</summary>
public static class GlueReport
{
    /// <summary>The word on the command line.</summary>
    public const string Command = "glue-report";

    private const string Usage = $"usage: {Command} [--seconds N]; for so long each line is measured";
    private static readonly int[] CallerCounts = [1, 16, 64, 256, 1024];
    private static readonly TimeSpan WarmUpTime = TimeSpan.FromSeconds(10);

    /// <summary>Prints the report as the tables of docs/benchmarks.md.</summary>
    /// <param name="arguments">What follows the command.</param>
    /// <param name="output">Gets the tables.</param>
    /// <returns>0, or 2 for a wrong command line.</returns>
    public static int Run(ReadOnlySpan<string> arguments, TextWriter output)
    {
        double seconds = 2;
        var isRight = arguments.Length == 0
            || (arguments.Length == 2 && arguments[0] == "--seconds"
                && double.TryParse(arguments[1], CultureInfo.InvariantCulture, out seconds) && seconds > 0);
        if (!isRight)
        {
            output.WriteLine(Usage);
            return 2;
        }

        using var peer = PeerProcess.Start();
        var link = GlueClient.Connect<IPeerService>(peer.GlueAddress);
        var unary = GlueClient.Connect<IPeerService>(
            peer.GlueAddress, new GlueClientOptions { Transport = GlueTransport.Unary });
        CallLoad.WarmUp(
            WarmUpTime,
            count => CallLoad.RunAsync(256, count, () => link.AddAsync(1, 2)),
            count => CallLoad.RunAsync(256, count, () => unary.AddAsync(1, 2)),
            count => CallLoad.RunAsync(1, Math.Min(count, 1000), () => link.AddAsync(1, 2)));
        var time = TimeSpan.FromSeconds(seconds);
        output.WriteLine("| Callers | over | K calls/s | p50 us | p99 us | p99.9 us | CPU us/call, both | B/call, both |");
        output.WriteLine("|---|---|---|---|---|---|---|---|");
        double peak = 0;
        foreach (var callers in CallerCounts)
        {
            var rate = PrintAsync(output, peer, ("link", link), callers, time).GetAwaiter().GetResult();
            peak = callers == 256 ? rate : peak;
            PrintAsync(output, peer, ("U", unary), callers, time).GetAwaiter().GetResult();
        }

        var times = OpenLoop.Run(link, peak / 2, time);
        output.WriteLine(Line("at a rate | link", peak / 2, times) + " | |");
        PrintBatches(output, peer, time);
        return 0;
    }

    private static async Task<double> PrintAsync(
        TextWriter output, PeerProcess peer, (string Name, IPeerService Service) side, int callers, TimeSpan time)
    {
        var all = new List<double>[callers];
        var processor = peer.ProcessorTime + Environment.CpuUsage.TotalTime;
        var allocated = GC.GetTotalAllocatedBytes() + await side.Service.AllocatedAsync();
        var started = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
        {
            all[caller] = new List<double>(64 * 1024 / callers);
            while (Stopwatch.GetElapsedTime(started) < time)
            {
                var began = Stopwatch.GetTimestamp();
                await side.Service.AddAsync(1, 2);
                all[caller].Add(Stopwatch.GetElapsedTime(began).TotalMicroseconds);
            }
        })));
        var elapsed = Stopwatch.GetElapsedTime(started);
        processor = peer.ProcessorTime + Environment.CpuUsage.TotalTime - processor;
        allocated = GC.GetTotalAllocatedBytes() + await side.Service.AllocatedAsync() - allocated;
        double[] times = [.. all.SelectMany(static one => one).Order()];
        var rate = times.Length / elapsed.TotalSeconds;
        // The lists of times grow meanwhile: 8 bytes for each, and as much again for what they grew from.
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{Line($"{callers} | {side.Name}", rate, times)} {processor.TotalMicroseconds / times.Length:0.0} "
            + $"| {Math.Max(0, (allocated / times.Length) - 16)} |"));
        return rate;
    }

    private static string Line(string name, double rate, double[] times) => string.Create(
        CultureInfo.InvariantCulture,
        $"| {name} | {rate / 1000:0.0} | {At(times, 0.5):0} | {At(times, 0.99):0} | {At(times, 0.999):0} |");

    private static double At(double[] times, double part) => times[(int)((times.Length - 1) * part)];

    private static void PrintBatches(TextWriter output, PeerProcess peer, TimeSpan time)
    {
        output.WriteLine();
        output.WriteLine("| Callers | batches | 1 | 2-3 | 4-7 | 8-15 | 16-31 | 32-63 | 64-127 | 128-255 | 256-511 | 512- |");
        output.WriteLine("|---|---|---|---|---|---|---|---|---|---|---|---|");
        foreach (var callers in CallerCounts)
        {
            var counts = new BatchCounts();
            var link = GlueClient.Connect<IPeerService>(
                peer.GlueAddress, new GlueClientOptions { WrapConnector = counts.Wrap });
            CallLoad.WarmUp(time / 2, count => CallLoad.RunAsync(callers, count, () => link.AddAsync(1, 2)));
            PrintBatches(output, $"{callers} | sent", counts.Sent);
            PrintBatches(output, $"{callers} | received", counts.Received);
        }
    }

    private static void PrintBatches(TextWriter output, string name, long[] counts)
    {
        long[] shown = [.. counts[..9], counts[9..].Sum()];
        double all = Math.Max(1, counts.Sum());
        var parts = string.Join(" | ", shown.Select(count => $"{100 * count / all:0}%"));
        output.WriteLine($"| {name} | {parts} |");
    }
}
