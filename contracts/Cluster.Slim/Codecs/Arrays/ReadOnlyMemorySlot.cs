using System.Runtime.InteropServices;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>Read-only memory over an array, as a segment of it; other memory is copied into an array.</summary>
/// <typeparam name="T">The element type.</typeparam>
internal sealed class ReadOnlyMemorySlot<T>(SlotSource slots) : Slot<ReadOnlyMemory<T>>
{
    private readonly Slot<ArraySegment<T>> _segment = slots.SlotOf<ArraySegment<T>>();

    internal override int BytesMin => 1;

    internal override void Describe(LayoutBuilder layout) => layout.Body.Place(typeof(ArraySegment<T>));

    internal override void Write(SlimWriter writer, ReadOnlyMemory<T> value)
    {
        writer.Depth++;
        _segment.Write(writer, SegmentOf(value));
        writer.Depth--;
    }

    internal override ReadOnlyMemory<T> Read(SlimReader reader)
    {
        reader.Depth++;
        ArraySegment<T> segment = _segment.Read(reader);
        reader.Depth--;
        return segment;
    }

    internal static ArraySegment<T> SegmentOf(ReadOnlyMemory<T> value)
    {
        if (value.IsEmpty)
            return default;
        return MemoryMarshal.TryGetArray(value, out ArraySegment<T> segment) ? segment : value.ToArray();
    }
}
