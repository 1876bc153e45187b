namespace Cluster.Benchmarks.Buffers;

/// <summary>What one writes by hand over managed arrays: honest loops over spans, without boxing. Stateless.</summary>
internal static class ManagedForms
{
    public static void FillByLoop<T>(Span<T> array, T value)
        where T : unmanaged
    {
        for (var i = 0; i < array.Length; i++)
            array[i] = value;
    }

    public static void FillByVectors<T>(Span<T> array, T value)
        where T : unmanaged, INumber<T>
    {
        var vectors = MemoryMarshal.Cast<T, Vector<T>>(array);
        vectors.Fill(new Vector<T>(value));
        FillByLoop(array[(vectors.Length * Vector<T>.Count)..], value);
    }

    public static void MultiplyByLoop<T>(Span<T> array, T value)
        where T : unmanaged, INumber<T>
    {
        for (var i = 0; i < array.Length; i++)
            array[i] *= value;
    }

    public static void MultiplyByVectors<T>(Span<T> array, T value)
        where T : unmanaged, INumber<T>
    {
        var vectors = MemoryMarshal.Cast<T, Vector<T>>(array);
        var factor = new Vector<T>(value);
        for (var i = 0; i < vectors.Length; i++)
            vectors[i] *= factor;
        MultiplyByLoop(array[(vectors.Length * Vector<T>.Count)..], value);
    }
}
