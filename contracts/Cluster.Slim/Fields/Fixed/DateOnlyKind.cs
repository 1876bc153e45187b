using Cluster.Slim.Errors;

namespace Cluster.Slim.Fields.Fixed;

/// <summary>Four bytes: the day number.</summary>
internal readonly struct DateOnlyKind : IFixedKind<DateOnly>
{
    public static int Bytes => 4;

    public static FixedForm Form => FixedForm.Checked;

    public static void Put(ref byte target, DateOnly value) => Unsafe.WriteUnaligned(ref target, value.DayNumber);

    public static DateOnly Get(ref byte source)
    {
        var day = Unsafe.ReadUnaligned<int>(ref source);
        if ((uint)day > (uint)DateOnly.MaxValue.DayNumber)
            Throw.Malformed("A DateOnly is out of range.");
        return DateOnly.FromDayNumber(day);
    }
}
