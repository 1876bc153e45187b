using System.Numerics.Tensors;
using Cluster.Benchmarks.Harness;
using Cluster.Buffers;
using Cluster.Buffers.Arithmetic;

namespace Cluster.Benchmarks.Buffers;

/// <summary>One fused walk over memory beside what the base library offers over managed arrays: its own fused calls,
/// and two walks. All memory is touched.</summary>
internal static class FusedRows
{
    public static void Run(BenchmarkRun run)
    {
        const string Row = "multiplyadd.double";
        var length = (int)run.Size(Row);
        run.Report(Row, Duel.RateRatio(run.Share() / 4, (long)length * sizeof(double), () => Place(length)));
    }

    private static DuelSides Place(int length)
    {
        var array = new double[length];
        var addend = new double[length];
        array.AsSpan().Fill(1);
        addend.AsSpan().Fill(1);
        SafeArray<double> x = new(array);
        SafeArray<double> y = new(addend);
        return new(
            [x, y],
            () => x.MultiplyAdd(0.5, y, x),
            () => TensorPrimitives.MultiplyAdd<double>(array, 0.5, addend, array),
            () => TensorPrimitives.FusedMultiplyAdd<double>(array, 0.5, addend, array),
            () =>
            {
                TensorPrimitives.Multiply<double>(array, 0.5, array);
                TensorPrimitives.Add<double>(array, addend, array);
            });
    }
}
