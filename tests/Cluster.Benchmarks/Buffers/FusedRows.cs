using System.Numerics.Tensors;
using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Buffers;

/// <summary>One fused walk over memory beside two walks over managed arrays; all memory is touched.</summary>
internal static class FusedRows
{
    public static void Run(BenchmarkRun run)
    {
        const string Row = "multiplyadd.double";
        var length = (int)run.Size(Row);
        using SafeArray<double> x = new(length);
        using SafeArray<double> y = new(length);
        var array = new double[length];
        var addend = new double[length];
        x.Fill(1);
        y.Fill(1);
        array.AsSpan().Fill(1);
        addend.AsSpan().Fill(1);
        run.Report(Row, LeastDisturbed.RateRatio(
            run.Share() / 3,
            () => x.MultiplyAdd(0.5, y, x),
            () =>
            {
                TensorPrimitives.Multiply<double>(array, 0.5, array);
                TensorPrimitives.Add<double>(array, addend, array);
            }));
    }
}
