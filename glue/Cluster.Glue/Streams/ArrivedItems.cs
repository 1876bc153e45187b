namespace Cluster.Glue.Streams;

/// <summary>One piece of a stream's items in a rented array. The reader returns the array.</summary>
internal readonly record struct ArrivedItems(byte[] Array, int Length)
{
    public static ArrivedItems CopyOf(ReadOnlySpan<byte> items)
    {
        var array = ArrayPool<byte>.Shared.Rent(items.Length);
        items.CopyTo(array);
        return new ArrivedItems(array, items.Length);
    }

    public void Return() => ArrayPool<byte>.Shared.Return(Array);
}
