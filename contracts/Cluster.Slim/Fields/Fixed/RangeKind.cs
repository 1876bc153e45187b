namespace Cluster.Slim.Fields.Fixed;

/// <summary>Eight bytes: start and end.</summary>
internal readonly struct RangeKind : IFixedKind<Range>
{
    public static int Bytes => 8;

    public static FixedForm Form => FixedForm.Converted;

    public static void Put(ref byte target, Range value)
    {
        IndexKind.Put(ref target, value.Start);
        IndexKind.Put(ref Unsafe.Add(ref target, 4), value.End);
    }

    public static Range Get(ref byte source) =>
        new(IndexKind.Get(ref source), IndexKind.Get(ref Unsafe.Add(ref source, 4)));
}
