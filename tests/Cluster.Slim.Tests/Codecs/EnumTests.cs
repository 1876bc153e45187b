using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Enums of every width, with values that have no name, in every place.</summary>
[Trait("Case", "slim-A")]
public sealed class EnumTests
{
    [Fact]
    public void Enums_OfEveryWidth_ComeBackInEveryPlace()
    {
        Check(OfSByte.Low, OfSByte.High, (OfSByte)5);
        Check(OfByte.Low, OfByte.High, (OfByte)5);
        Check(OfInt16.Low, OfInt16.High, (OfInt16)5);
        Check(OfUInt16.Low, OfUInt16.High, (OfUInt16)5);
        Check(OfInt32.Low, OfInt32.High, (OfInt32)5);
        Check(OfUInt32.Low, OfUInt32.High, (OfUInt32)3_000_000_000);
        Check(OfInt64.Low, OfInt64.High, (OfInt64)(-3_000_000_000));
        Check(OfUInt64.Low, OfUInt64.High, (OfUInt64)(1UL << 40));
    }

    [Fact]
    [Trait("Case", "slim-M")]
    public void Flags_AndCombinationsWithoutName_ComeBack() =>
        Check(Flags.None, Flags.A | Flags.C, (Flags)0x4000_0001, ~Flags.None);

    [Fact]
    public void FrameworkEnums_ComeBack() => Check(DayOfWeek.Saturday, (DayOfWeek)99);

    private static void Check<T>(params T[] values)
        where T : struct, Enum
    {
        RoundTripMatrix.CheckEqual(values);
        RoundTripMatrix.CheckEqual<T?>(null, values[0]);
        RoundTripMatrix.Check(values, back => Assert.Equal(values, back));
        RoundTripMatrix.Check(values.ToList(), back => Assert.Equal(values, back));
        T?[] nullable = [null, .. values];
        RoundTripMatrix.Check(nullable, back => Assert.Equal(nullable, back));
        object[] boxed = [.. values.Cast<object>()];
        RoundTripMatrix.Check(new Boxed<T>(values[0], boxed), back => Assert.Equal(boxed, back.Items));
        var map = values.ToDictionary(v => v, v => v.ToString());
        RoundTripMatrix.Check(map, back => Assert.All(values, v => Assert.Equal(v.ToString(), back[v])));
    }

    private sealed record Boxed<T>(T Declared, object[] Items);

    private enum OfSByte : sbyte
    {
        Low = sbyte.MinValue,
        High = sbyte.MaxValue,
    }

    private enum OfByte : byte
    {
        Low,
        High = byte.MaxValue,
    }

    private enum OfInt16 : short
    {
        Low = short.MinValue,
        High = short.MaxValue,
    }

    private enum OfUInt16 : ushort
    {
        Low,
        High = ushort.MaxValue,
    }

    private enum OfInt32
    {
        Low = int.MinValue,
        High = int.MaxValue,
    }

    private enum OfUInt32 : uint
    {
        Low,
        High = uint.MaxValue,
    }

    private enum OfInt64 : long
    {
        Low = long.MinValue,
        High = long.MaxValue,
    }

    private enum OfUInt64 : ulong
    {
        Low,
        High = ulong.MaxValue,
    }

    [Flags]
    private enum Flags
    {
        None = 0,
        A = 1,
        B = 2,
        C = 4,
    }
}
