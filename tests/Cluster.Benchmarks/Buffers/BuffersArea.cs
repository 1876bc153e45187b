using Cluster.Benchmarks.Harness;

namespace Cluster.Benchmarks.Buffers;

/// <summary>
/// The area <c>buffers</c>: typed buffers in native memory beside managed arrays. Each row says whether memory was
/// touched before.
/// </summary>
internal sealed class BuffersArea : IBenchmarkArea
{
    /// <inheritdoc/>
    public string Name => "buffers";

    /// <inheritdoc/>
    public void Run(BenchmarkRun run)
    {
        FragmentationRows.RunUntouched(run);
        new ArithmeticRows<int>("int", 3).Run(run);
        new ArithmeticRows<ulong>("ulong", 3).Run(run);
        new ArithmeticRows<ushort>("ushort", 3).Run(run);
        new ArithmeticRows<double>("double", 1.0000001).Run(run);
        FusedRows.Run(run);
        FragmentationRows.RunTouched(run);
        CreationRows.Run(run);
        FragmentationRows.RunManaged(run);
    }
}
