using System.Numerics.Tensors;
using Cluster.Benchmarks.Harness;
using Cluster.Buffers;
using Cluster.Buffers.Arithmetic;

namespace Cluster.Benchmarks.Buffers;

/// <summary>Fill and multiply over a buffer and over a managed array of the same length, all touched; a figure is the
/// rate over that of the managed form that is the fastest here.</summary>
internal sealed class ArithmeticRows<T>(string type, T value)
    where T : unmanaged, INumber<T>
{
    public void Run(BenchmarkRun run)
    {
        foreach (var size in (string[])["1m", "large"])
        {
            Run(run, $"fill.{type}.{size}", PlaceFill);
            Run(run, $"multiply.{type}.{size}", PlaceMultiply);
        }
    }

    /// <summary>The same fill against itself, on each kind of memory: how far a figure can be trusted.</summary>
    public void RunControl(BenchmarkRun run, string row)
    {
        Run(run, $"{row}.arrays", length =>
        {
            var (left, right) = (Ones(length), Ones(length));
            return new([], () => left.AsSpan().Fill(value), () => right.AsSpan().Fill(value));
        });
        Run(run, $"{row}.buffers", length =>
        {
            var (left, right) = (new SafeArray<T>(Ones(length)), new SafeArray<T>(Ones(length)));
            return new([left, right], () => left.Fill(value), () => right.Fill(value));
        });
    }

    private static void Run(BenchmarkRun run, string row, Func<int, DuelSides> place)
    {
        if (!run.Wants(row))
            return;
        var length = (int)run.Size(row);
        run.Report(row, Duel.RateRatio(run.Share() / 4, (long)length * Unsafe.SizeOf<T>(), () => place(length)));
    }

    private DuelSides PlaceFill(int length)
    {
        var array = Ones(length);
        SafeArray<T> buffer = new(array);
        return new(
            [buffer],
            () => buffer.Fill(value),
            () => ManagedForms.FillByLoop(array, value),
            () => ManagedForms.FillByVectors(array, value),
            () => array.AsSpan().Fill(value));
    }

    private DuelSides PlaceMultiply(int length)
    {
        var array = Ones(length);
        SafeArray<T> buffer = new(array);
        return new(
            [buffer],
            () => buffer.MultiplyInPlace(value),
            () => ManagedForms.MultiplyByLoop(array, value),
            () => ManagedForms.MultiplyByVectors(array, value),
            () => TensorPrimitives.Multiply<T>(array, value, array));
    }

    private static T[] Ones(int length)
    {
        var array = new T[length];
        array.AsSpan().Fill(T.One);
        return array;
    }
}
