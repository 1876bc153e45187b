using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>A place of a simple value, which takes a fixed number of bytes.</summary>
/// <typeparam name="T">The type of the place.</typeparam>
/// <typeparam name="TKind">The form of a value on the wire.</typeparam>
internal sealed class FixedFieldSerializer<T, TKind> : FieldSerializer<T>, ISimpleFieldSerializer
    where T : unmanaged
    where TKind : struct, IFixedKind<T>
{
    // Blocks are processed in pieces, so that a long array never needs one reservation of its whole size.
    private const int BlockCount = 1024;

    public int Bytes => TKind.Bytes;

    public FixedForm Form => TKind.Form;

    public IEnumerable<FixedPart> Parts => [new FixedPart([], 0, this)];

    public MethodInfo PutMethod => typeof(TKind).GetMethod(nameof(IFixedKind<T>.Put))!;

    public MethodInfo GetMethod => typeof(TKind).GetMethod(nameof(IFixedKind<T>.Get))!;

    public override int BytesMin => TKind.Bytes;

    public override void Describe(LayoutBuilder layout)
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

    public object NewProbe()
    {
        T probe = default;
        MemoryMarshal.AsBytes(new Span<T>(ref probe)).Fill(0xFF);
        return probe;
    }

    public void PutColumn(ref byte target, int targetStride, ref byte source, int sourceStride, int count)
    {
        for (; count > 0; count--)
        {
            TKind.Put(ref target, Unsafe.ReadUnaligned<T>(ref source));
            target = ref Unsafe.Add(ref target, targetStride);
            source = ref Unsafe.Add(ref source, sourceStride);
        }
    }

    public void GetColumn(ref byte target, int targetStride, ref byte source, int sourceStride, int count)
    {
        for (; count > 0; count--)
        {
            Unsafe.WriteUnaligned(ref target, TKind.Get(ref source));
            target = ref Unsafe.Add(ref target, targetStride);
            source = ref Unsafe.Add(ref source, sourceStride);
        }
    }

    public bool IsNormal(ref byte source, int sourceStride, int count) =>
        TKind.Form < FixedForm.Normalized || TKind.AreValues(ref source, sourceStride, count);

    public void CheckColumn(ref byte source, int sourceStride, int count)
    {
        if (TKind.AreValues(ref source, sourceStride, count))
            return;
        for (; count > 0; count--)
        {
            TKind.Get(ref source);
            source = ref Unsafe.Add(ref source, sourceStride);
        }
    }

    public override void Write(SlimWriter writer, T value) => TKind.Put(ref writer.Reserve(TKind.Bytes), value);

    public override T Read(SlimReader reader) => TKind.Get(ref reader.Take(TKind.Bytes));

    public override void WriteSpan(SlimWriter writer, ReadOnlySpan<T> values)
    {
        writer.CheckRoom((long)values.Length * TKind.Bytes);
        if (TKind.Form is FixedForm.Raw or FixedForm.Checked || AreNormal(values))
        {
            writer.WriteBytes(MemoryMarshal.AsBytes(values));
            return;
        }

        while (!values.IsEmpty)
        {
            var count = Math.Min(values.Length, BlockCount);
            PutColumn(
                ref writer.Reserve(count * TKind.Bytes), TKind.Bytes,
                ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), Unsafe.SizeOf<T>(), count);
            values = values[count..];
        }
    }

    public override void ReadSpan(SlimReader reader, Span<T> values)
    {
        if (reader.Trace is not null && TKind.Form != FixedForm.Raw)
        {
            base.ReadSpan(reader, values);
            return;
        }

        var bytes = checked(values.Length * TKind.Bytes);
        ref var source = ref reader.Take(bytes);
        ref var target = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values));
        if (TKind.Form == FixedForm.Converted)
        {
            GetColumn(ref target, Unsafe.SizeOf<T>(), ref source, TKind.Bytes, values.Length);
            return;
        }

        var block = MemoryMarshal.CreateReadOnlySpan(ref source, bytes);
        if (TKind.Form != FixedForm.Raw && !AreNormal(MemoryMarshal.Cast<byte, T>(block)))
            CheckColumn(ref source, TKind.Bytes, values.Length);
        block.CopyTo(MemoryMarshal.AsBytes(values));
    }

    private static bool AreNormal(ReadOnlySpan<T> values) =>
        typeof(T) == typeof(bool) && BooleanKind.AreNormal(MemoryMarshal.AsBytes(values));
}
