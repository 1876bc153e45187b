namespace Cluster.Slim.Fields.Fixed;

/// <summary>Sixteen bytes: real and imaginary part.</summary>
internal readonly struct ComplexKind : IFixedKind<System.Numerics.Complex>
{
    public static int Bytes => 16;

    public static FixedForm Form => FixedForm.Converted;

    public static void Put(ref byte target, System.Numerics.Complex value)
    {
        Unsafe.WriteUnaligned(ref target, value.Real);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 8), value.Imaginary);
    }

    public static System.Numerics.Complex Get(ref byte source) =>
        new(Unsafe.ReadUnaligned<double>(ref source), Unsafe.ReadUnaligned<double>(ref Unsafe.Add(ref source, 8)));
}
