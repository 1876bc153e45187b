using System.Buffers;

namespace Cluster.Slim.Tests.Matrix;

/// <summary>Messages as they come from a network: in several segments, empty ones among them. Stateless.</summary>
internal static class SegmentedSequence
{
    /// <summary>The bytes in segments of the given length.</summary>
    internal static ReadOnlySequence<byte> Of(byte[] bytes, int length) => Of(bytes, () => length);

    /// <summary>The bytes in segments of 0 to 40 bytes.</summary>
    internal static ReadOnlySequence<byte> Random(byte[] bytes, int seed)
    {
        Random random = new(seed);
        return Of(bytes, () => random.Next(41));
    }

    private static ReadOnlySequence<byte> Of(byte[] bytes, Func<int> length)
    {
        Segment first = new(ReadOnlyMemory<byte>.Empty, 0);
        Segment last = first;
        for (int offset = 0; offset < bytes.Length;)
        {
            int count = Math.Min(length(), bytes.Length - offset);
            last = last.Append(bytes.AsMemory(offset, count));
            offset += count;
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(ReadOnlyMemory<byte> memory, long index)
        {
            Memory = memory;
            RunningIndex = index;
        }

        internal Segment Append(ReadOnlyMemory<byte> memory)
        {
            Segment next = new(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}
