using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Four bytes: the scalar value; surrogates are refused.</summary>
internal readonly struct RuneKind : IFixedKind<Rune>
{
    public static int Bytes => 4;

    public static FixedForm Form => FixedForm.Checked;

    public static void Put(ref byte target, Rune value) => Unsafe.WriteUnaligned(ref target, value.Value);

    public static Rune Get(ref byte source)
    {
        if (!Rune.TryCreate(Unsafe.ReadUnaligned<int>(ref source), out var rune))
            Throw.Malformed("A Rune is not a Unicode scalar value.");
        return rune;
    }
}
