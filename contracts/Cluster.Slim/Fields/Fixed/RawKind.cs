namespace Cluster.Slim.Fields.Fixed;

/// <summary>Values whose memory is their form on the wire: integers, floats, enums, Guid, TimeSpan.</summary>
/// <typeparam name="T">An unmanaged type without padding and without invalid bit patterns.</typeparam>
internal readonly struct RawKind<T> : IFixedKind<T>
    where T : unmanaged
{
    public static int Bytes => Unsafe.SizeOf<T>();

    public static FixedForm Form => FixedForm.Raw;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte target, T value) => Unsafe.WriteUnaligned(ref target, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Get(ref byte source) => Unsafe.ReadUnaligned<T>(ref source);
}
