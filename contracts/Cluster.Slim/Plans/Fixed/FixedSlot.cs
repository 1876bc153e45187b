using System.Reflection;
using System.Runtime.InteropServices;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Plans;

/// <summary>A place whose values take a fixed number of bytes.</summary>
/// <typeparam name="T">The type of the place.</typeparam>
/// <typeparam name="TKind">How a value becomes bytes.</typeparam>
internal sealed class FixedSlot<T, TKind> : Slot<T>, IFixedSlot
    where T : unmanaged
    where TKind : struct, IFixedKind<T>
{
    // Blocks are taken in pieces, so that a long array never needs one reservation of its whole size.
    private const int BlockCount = 1024;

    public int Bytes => TKind.Bytes;

    public MethodInfo PutMethod => typeof(TKind).GetMethod(nameof(IFixedKind<T>.Put))!;

    public MethodInfo GetMethod => typeof(TKind).GetMethod(nameof(IFixedKind<T>.Get))!;

    internal override int BytesMin => TKind.Bytes;

    internal override void Describe(LayoutBuilder layout)
    {
        if (typeof(T).IsEnum)
        {
            layout.Body.Place(Enum.GetUnderlyingType(typeof(T)));
            return;
        }

        layout.Body.Bytes(TKind.Bytes);
        if (typeof(TKind) == typeof(OverlaidKind<T>))
            layout.AddOverlaidFields();
    }

    internal override void Write(SlimWriter writer, T value) => TKind.Put(ref writer.Reserve(TKind.Bytes), value);

    internal override T Read(SlimReader reader) => TKind.Get(ref reader.Take(TKind.Bytes));

    internal override void WriteSpan(SlimWriter writer, ReadOnlySpan<T> values)
    {
        if (TKind.IsRaw)
        {
            writer.WriteBytes(MemoryMarshal.AsBytes(values));
            return;
        }

        while (!values.IsEmpty)
        {
            int count = Math.Min(values.Length, BlockCount);
            ref byte target = ref writer.Reserve(count * TKind.Bytes);
            for (int i = 0; i < count; i++)
                TKind.Put(ref System.Runtime.CompilerServices.Unsafe.Add(ref target, i * TKind.Bytes), values[i]);
            values = values[count..];
        }
    }

    internal override void ReadSpan(SlimReader reader, Span<T> values)
    {
        if (TKind.IsRaw)
        {
            reader.ReadBytes(MemoryMarshal.AsBytes(values));
            return;
        }

        ref byte source = ref reader.Take(checked(values.Length * TKind.Bytes));
        for (int i = 0; i < values.Length; i++)
            values[i] = TKind.Get(ref System.Runtime.CompilerServices.Unsafe.Add(ref source, i * TKind.Bytes));
    }
}
