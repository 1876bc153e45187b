using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Ten bytes: local ticks and the offset in minutes.</summary>
internal readonly struct DateTimeOffsetKind : IFixedKind<DateTimeOffset>
{
    private const int OffsetMinutesMax = 14 * 60;

    public static int Bytes => 10;

    public static FixedForm Form => FixedForm.Converted;

    public static void Put(ref byte target, DateTimeOffset value)
    {
        Unsafe.WriteUnaligned(ref target, value.Ticks);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, 8), (short)value.TotalOffsetMinutes);
    }

    public static DateTimeOffset Get(ref byte source)
    {
        var ticks = Unsafe.ReadUnaligned<long>(ref source);
        var minutes = Unsafe.ReadUnaligned<short>(ref Unsafe.Add(ref source, 8));
        if (minutes is < -OffsetMinutesMax or > OffsetMinutesMax || (ulong)ticks > (ulong)DateTime.MaxValue.Ticks)
            Throw.Malformed("A DateTimeOffset is out of range.");
        var universal = ticks - (minutes * TimeSpan.TicksPerMinute);
        if ((ulong)universal > (ulong)DateTime.MaxValue.Ticks)
            Throw.Malformed("A DateTimeOffset is out of range.");
        return new DateTimeOffset(ticks, TimeSpan.FromMinutes(minutes));
    }
}
