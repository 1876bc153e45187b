namespace Cluster.Nodes.AspNetCore.Tests.Caching;

/// <summary>Makes sequences of several segments. Stateless.</summary>
internal static class Parts
{
    /// <summary>Makes a sequence with a segment of each length; all its bytes count upwards.</summary>
    public static ReadOnlySequence<byte> Of(params int[] lengths)
    {
        var next = 0;
        Segment? first = null, last = null;
        foreach (var length in lengths)
        {
            var bytes = Enumerable.Range(next, length).Select(number => (byte)number).ToArray();
            next += length;
            last = new Segment(bytes, last);
            first ??= last;
        }

        return new ReadOnlySequence<byte>(first!, 0, last!, last!.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] bytes, Segment? before)
        {
            Memory = bytes;
            if (before is null)
                return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }
}
