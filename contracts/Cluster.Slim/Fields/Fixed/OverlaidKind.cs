using Cluster.Slim.Types;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>A struct whose fields share bytes: its memory, with zeros in the bytes of no field.</summary>
/// <typeparam name="T">A struct of simple values without invalid bit patterns.</typeparam>
internal readonly struct OverlaidKind<T> : IFixedKind<T>
    where T : unmanaged
{
    private static readonly bool[] Covered = Overlays.CoverageOf(typeof(T));

    public static int Bytes => Unsafe.SizeOf<T>();

    public static FixedForm Form { get; } =
        Array.TrueForAll(Covered, static c => c) ? FixedForm.Raw : FixedForm.Converted;

    public static void Put(ref byte target, T value)
    {
        Unsafe.WriteUnaligned(ref target, value);
        for (var i = 0; i < Covered.Length; i++)
        {
            if (!Covered[i])
                Unsafe.Add(ref target, i) = 0;
        }
    }

    public static T Get(ref byte source) => Unsafe.ReadUnaligned<T>(ref source);
}
