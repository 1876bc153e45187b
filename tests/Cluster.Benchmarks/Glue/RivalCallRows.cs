using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Glue;

/// <summary>The small call beside frameworks that users know, each in two processes: StreamJsonRpc and Orleans.
/// Stateless.</summary>
internal static class RivalCallRows
{
    private const int Callers = 256;

    public static void Run(BenchmarkRun run, PeerProcess peer, IPeerService link)
    {
        if (run.Wants("calls.256.streamjsonrpc"))
        {
            using var rival = new JsonRpcSide(peer);
            Report(run, "calls.256.streamjsonrpc", link, () => new ValueTask<int>(rival.Proxy.AddAsync(1, 2)));
        }

        if (run.Wants("calls.256.orleans"))
        {
            using var rival = new OrleansSide();
            Report(run, "calls.256.orleans", link, () => rival.Grain.AddAsync(1, 2));
        }
    }

    private static void Report(BenchmarkRun run, string row, IPeerService link, Func<ValueTask<int>> call)
    {
        // The rival's code is compiled, as ours is by now.
        CallLoad.WarmUp(TimeSpan.FromSeconds(run.IsQuick ? 1 : 10), count => CallLoad.RunAsync(Callers, count, call));
        var race = Race.Run(
            run.Share(),
            CallLoad.Callers("link", Callers, () => link.AddAsync(1, 2)),
            CallLoad.Callers("rival", Callers, call));
        run.Report(row, race.RateRatio("link", "rival"));
    }
}
