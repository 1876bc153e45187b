using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Pile;

/// <summary>The area <c>pile</c>: native objects by pointer, beside managed objects in a list. The memory of every pile
/// is touched before it is timed, and so are the rivals' heaps.</summary>
internal sealed class PileArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "pile";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        if (run.Wants("stale.accepted", "forged.accepted"))
            SafetyRows.Run(run);
        if (run.Wants("read.64.hot"))
            ReadRows.RunHot(run);
        PutRows.Run(run);
        if (run.Wants("person.put", "person.get.hot", "person.get.cold", "person.getmany.cold"))
            PersonRows.Run(run);
        ConcurrentRows.Run(run);
        if (run.Wants("enumerate"))
            ScanRows.Run(run);
        SpaceRows.Run(run);
        if (run.Wants("snapshot.write", "snapshot.read"))
            SnapshotRows.Run(run);
        if (run.Wants("snapshot.p99", "snapshot.p999"))
            SnapshotLatencyRows.Run(run);
        if (run.Wants("read.64.cold", "getmany.64.cold", "gc.full", "gc.full.dictionary"))
            ReadRows.RunCold(run);
        ReadRivalRows.Run(run);
    }
}
