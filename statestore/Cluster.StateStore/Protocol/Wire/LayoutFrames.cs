using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Frames;

namespace Cluster.StateStore.Protocol.Wire;

/// <summary>The bytes of frames with layout descriptions. Stateless.</summary>
internal static class LayoutFrames
{
    private const int PartBytesMin = 6;
    private const int MarkBytes = 6;

    public static void Write(LayoutsFrame frame, FormatWriter to)
    {
        to.Varint((uint)frame.Parts.Length);
        foreach (var part in frame.Parts)
        {
            to.UInt32(part.State);
            to.Varint((uint)part.First);
            to.Varint((uint)part.Descriptions.Length);
            foreach (var description in part.Descriptions)
                to.Block(description);
        }

        to.Block(frame.Inner.Span);
    }

    public static void Write(LayoutsKept frame, FormatWriter to)
    {
        to.Varint((uint)frame.Marks.Length);
        foreach (var mark in frame.Marks)
        {
            to.UInt32(mark.State);
            to.Varint((uint)mark.First);
            to.Varint((uint)mark.End);
        }
    }

    public static LayoutsFrame ReadLayouts(ref FrameReader input)
    {
        var count = input.Count(PartBytesMin);
        var parts = ImmutableArray.CreateBuilder<LayoutsPart>(count);
        for (var index = 0; index < count; index++)
        {
            var (state, first) = (input.UInt32(), Place(ref input));
            var descriptions = new byte[input.Count(itemBytesMin: 1)][];
            for (var each = 0; each < descriptions.Length; each++)
                descriptions[each] = input.Block().ToArray();
            parts.Add(new LayoutsPart(state, first, [.. descriptions]));
        }

        return new LayoutsFrame(parts.MoveToImmutable(), input.Block());
    }

    public static LayoutsKept ReadKept(ref FrameReader input)
    {
        var count = input.Count(MarkBytes);
        var marks = ImmutableArray.CreateBuilder<LayoutMark>(count);
        for (var index = 0; index < count; index++)
        {
            var mark = new LayoutMark(input.UInt32(), Place(ref input), Place(ref input));
            if (mark.First > mark.End)
                throw input.Malformed($"layouts from {mark.First} to {mark.End}");
            marks.Add(mark);
        }

        return new LayoutsKept(marks.MoveToImmutable());
    }

    private static int Place(ref FrameReader input)
    {
        var place = input.Int64();
        return place <= int.MaxValue / 2 ? (int)place : throw input.Malformed($"layout {place}");
    }
}
