using System.Numerics;
using System.Numerics.Tensors;
using Cluster.Benchmarks.Harness;
using Cluster.Pile;

namespace Cluster.Benchmarks.Buffers;

/// <summary>
/// Fill and multiply over a buffer and over a managed array of the same length, all touched; a figure is the rate over
/// that of the managed form that is the fastest here.
/// </summary>
internal sealed class ArithmeticRows<T>(string type, T value)
    where T : unmanaged, INumber<T>
{
    public void Run(BenchmarkRun run)
    {
        foreach (var size in (string[])["1m", "large"])
        {
            RunFill(run, $"fill.{type}.{size}");
            RunMultiply(run, $"multiply.{type}.{size}");
        }
    }

    private void RunFill(BenchmarkRun run, string row)
    {
        if (!run.Wants(row))
            return;
        var length = (int)run.Size(row);
        using SafeArray<T> buffer = new(length);
        var array = new T[length];
        run.Report(row, LeastDisturbed.RateRatio(
            run.Share() / 3,
            () => buffer.Fill(value),
            () => ManagedForms.FillByLoop(array, value),
            () => ManagedForms.FillByVectors(array, value),
            () => array.AsSpan().Fill(value)));
    }

    private void RunMultiply(BenchmarkRun run, string row)
    {
        if (!run.Wants(row))
            return;
        var length = (int)run.Size(row);
        using SafeArray<T> buffer = new(length);
        var array = new T[length];
        buffer.Fill(T.One);
        array.AsSpan().Fill(T.One);
        run.Report(row, LeastDisturbed.RateRatio(
            run.Share() / 3,
            () => buffer.MultiplyInPlace(value),
            () => ManagedForms.MultiplyByLoop(array, value),
            () => ManagedForms.MultiplyByVectors(array, value),
            () => TensorPrimitives.Multiply<T>(array, value, array)));
    }
}
