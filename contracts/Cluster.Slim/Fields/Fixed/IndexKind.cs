namespace Cluster.Slim.Fields.Fixed;

/// <summary>Four bytes: the value, or its complement when counted from the end.</summary>
internal readonly struct IndexKind : IFixedKind<Index>
{
    public static int Bytes => 4;

    public static FixedForm Form => FixedForm.Converted;

    public static void Put(ref byte target, Index value) =>
        Unsafe.WriteUnaligned(ref target, value.IsFromEnd ? ~value.Value : value.Value);

    public static Index Get(ref byte source)
    {
        var value = Unsafe.ReadUnaligned<int>(ref source);
        return value < 0 ? new Index(~value, fromEnd: true) : new Index(value);
    }
}
