namespace Cluster.Slim.Tests.Matrix;

/// <summary>Sequences as they come from a network: in several segments, empty ones among them. Stateless.</summary>
internal static class SegmentedSequence
{
    /// <summary>The items in segments of the given length.</summary>
    public static ReadOnlySequence<T> Of<T>(T[] items, int length) => Of(items, () => length);

    /// <summary>The items in segments of 0 to 40.</summary>
    public static ReadOnlySequence<T> Random<T>(T[] items, int seed)
    {
        Random random = new(seed);
        return Of(items, () => random.Next(41));
    }

    private static ReadOnlySequence<T> Of<T>(T[] items, Func<int> length)
    {
        Segment<T> first = new(ReadOnlyMemory<T>.Empty, 0);
        var last = first;
        for (var offset = 0; offset < items.Length;)
        {
            var count = Math.Min(length(), items.Length - offset);
            last = last.Append(items.AsMemory(offset, count));
            offset += count;
        }

        return new ReadOnlySequence<T>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment<T> : ReadOnlySequenceSegment<T>
    {
        public Segment(ReadOnlyMemory<T> memory, long index)
        {
            Memory = memory;
            RunningIndex = index;
        }

        public Segment<T> Append(ReadOnlyMemory<T> memory)
        {
            Segment<T> next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
