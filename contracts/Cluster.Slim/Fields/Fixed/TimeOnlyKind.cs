using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Eight bytes: ticks since midnight.</summary>
internal readonly struct TimeOnlyKind : IFixedKind<TimeOnly>
{
    public static int Bytes => 8;

    public static FixedForm Form => FixedForm.Checked;

    public static void Put(ref byte target, TimeOnly value) => Unsafe.WriteUnaligned(ref target, value.Ticks);

    public static TimeOnly Get(ref byte source)
    {
        var ticks = Unsafe.ReadUnaligned<long>(ref source);
        if ((ulong)ticks > (ulong)TimeOnly.MaxValue.Ticks)
            Throw.Malformed("A TimeOnly is out of range.");
        return new TimeOnly(ticks);
    }
}
