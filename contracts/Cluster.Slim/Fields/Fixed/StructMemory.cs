namespace Cluster.Slim.Fields.Fixed;

/// <summary>The offsets of the parts of a struct in memory, found by setting each in a struct of zeros, and the
/// resulting form of sequences of such structs. Immutable.</summary>
/// <typeparam name="T">The struct.</typeparam>
internal sealed class StructMemory<T>
    where T : struct
{
    public StructMemory(FixedPart[] parts, int wireBytes)
    {
        Offsets = [.. parts.Select(OffsetOf)];
        IsBlock = wireBytes == Unsafe.SizeOf<T>() && parts.Select((part, i) => (part, i)).All(
            p => p.part.Serializer.Form != FixedForm.Converted && p.part.Offset == Offsets[p.i]);
        IsCovered = parts.Sum(
            static p => p.Serializer.Form == FixedForm.Converted ? 0 : p.Serializer.Bytes) == Unsafe.SizeOf<T>();
        Written = Select(parts, FixedForm.Normalized);
        Checked = Select(parts, FixedForm.Checked);
    }

    /// <summary>The offset of each part.</summary>
    public int[] Offsets { get; }

    /// <summary>Whether the bytes in memory are the bytes in a message.</summary>
    public bool IsBlock { get; }

    /// <summary>Whether the parts cover every byte of the struct.</summary>
    public bool IsCovered { get; }

    /// <summary>The parts of a block that must be written one by one.</summary>
    public FixedPart[] Written { get; }

    /// <summary>The parts of a block that must be checked.</summary>
    public FixedPart[] Checked { get; }

    private static FixedPart[] Select(FixedPart[] parts, FixedForm least) =>
        [.. parts.Where(p => p.Serializer.Form >= least)];

    private static int OffsetOf(FixedPart part)
    {
        var value = part.Serializer.NewProbe();
        foreach (var field in part.Path.Reverse())
        {
            var owner = RuntimeHelpers.GetUninitializedObject(field.DeclaringType!);
            field.SetValue(owner, value);
            value = owner;
        }

        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, byte>(ref Unsafe.Unbox<T>(value)), Unsafe.SizeOf<T>())
            .IndexOfAnyExcept((byte)0);
    }
}
