using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Buffers;

/// <summary>The area <c>buffers</c>: typed buffers in native memory beside managed arrays. Each row says whether memory
/// was touched before.</summary>
internal sealed class BuffersArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "buffers";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        if (run.Wants("fragmentation.untouched"))
            FragmentationRows.RunUntouched(run);
        new ArithmeticRows<double>("double", 1.0000001).RunControl(run, "control");
        new ArithmeticRows<int>("int", 3).Run(run);
        new ArithmeticRows<ulong>("ulong", 3).Run(run);
        new ArithmeticRows<ushort>("ushort", 3).Run(run);
        new ArithmeticRows<double>("double", 1.0000001).Run(run);
        if (run.Wants("multiplyadd.double"))
            FusedRows.Run(run);
        if (run.Wants("fragmentation.touched", "fragmentation.peak"))
            FragmentationRows.RunTouched(run);
        if (run.Wants("create.1g", "create.1g.faults", "create.1g.pooled", "create.1g.managed"))
            CreationRows.Run(run);
        if (run.Wants("fragmentation.untouched.managed"))
            FragmentationRows.RunManaged(run);
    }
}
