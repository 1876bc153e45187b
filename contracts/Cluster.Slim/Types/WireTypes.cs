using System.Collections.Frozen;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Types;

/// <summary>The types that the format knows by a code below 64. Codes are never reused; the format page lists
/// them.</summary>
internal static class WireTypes
{
    /// <summary>The code of <see cref="string"/>, whose values have no head in their places.</summary>
    public const int StringCode = 2;

    /// <summary>Code and type; the position in the list has no meaning.</summary>
    public static readonly (int Code, Type Type)[] All =
    [
        (1, typeof(object)), (2, typeof(string)), (3, typeof(bool)), (4, typeof(byte)), (5, typeof(sbyte)),
        (6, typeof(char)), (7, typeof(short)), (8, typeof(ushort)), (9, typeof(int)), (10, typeof(uint)),
        (11, typeof(long)), (12, typeof(ulong)), (13, typeof(Int128)), (14, typeof(UInt128)), (15, typeof(Half)),
        (16, typeof(float)), (17, typeof(double)), (18, typeof(decimal)), (19, typeof(DateTime)),
        (20, typeof(DateTimeOffset)), (21, typeof(TimeSpan)), (22, typeof(DateOnly)), (23, typeof(TimeOnly)),
        (24, typeof(Guid)), (25, typeof(Rune)), (26, typeof(Index)), (27, typeof(Range)), (28, typeof(BigInteger)),
        (29, typeof(Complex)), (30, typeof(Version)), (31, typeof(Uri)), (32, typeof(IPAddress)),
        (33, typeof(IPEndPoint)), (34, typeof(CultureInfo)), (35, typeof(StringBuilder)), (36, typeof(BitArray)),
        (37, typeof(Type)), (38, typeof(object[])), (39, typeof(string[])), (40, typeof(byte[])),
        (41, typeof(int[])), (42, typeof(long[])), (43, typeof(double[])), (44, typeof(bool[])),
        (45, typeof(char[])), (46, typeof(float[])), (47, typeof(decimal[])), (48, typeof(Guid[])),
        (49, typeof(DateTime[])), (50, typeof(List<object>)), (51, typeof(List<string>)), (52, typeof(List<int>)),
        (53, typeof(List<long>)), (54, typeof(List<double>)), (55, typeof(Dictionary<string, object>)),
        (56, typeof(Dictionary<string, string>)), (57, typeof(HostReference)),
    ];

    private static readonly FrozenDictionary<Type, int> Codes = All.ToFrozenDictionary(p => p.Type, p => p.Code);
    private static readonly FrozenDictionary<int, Type> Types = All.ToFrozenDictionary(p => p.Code, p => p.Type);

    /// <summary>The simple values that a place of type object admits without being on the list.</summary>
    public static IEnumerable<Type> SimpleValues =>
        All.Where(static p => p.Code is >= 2 and <= 37).Select(static p => p.Type);

    public static int CodeOf(Type type) => Codes.GetValueOrDefault(type);

    /// <summary>The type in whose form values in places of a type are written; mostly the type itself.</summary>
    public static Type WrittenTypeOf(Type type) => type == typeof(SlimBytes) ? typeof(byte[]) : type;

    public static Type? TypeOf(uint code) => code <= int.MaxValue ? Types.GetValueOrDefault((int)code) : null;
}
