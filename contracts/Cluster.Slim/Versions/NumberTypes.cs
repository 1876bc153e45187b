using Cluster.Slim.Layouts;

namespace Cluster.Slim.Versions;

/// <summary>The number types that can be converted into each other. Enums are their underlying type.</summary>
internal static class NumberTypes
{
    private static readonly HashSet<Type> All =
    [
        typeof(byte), typeof(sbyte), typeof(char), typeof(short), typeof(ushort), typeof(int), typeof(uint),
        typeof(long), typeof(ulong), typeof(Int128), typeof(UInt128), typeof(Half), typeof(float), typeof(double),
        typeof(decimal),
    ];

    public static Type? Find(Type type)
    {
        var number = type.IsEnum ? Enum.GetUnderlyingType(type) : type;
        return All.Contains(number) ? number : null;
    }

    public static Type? Find(TypeLayout layout)
    {
        var number = layout.IsEnum && layout.Body is [{ Op: LayoutOp.Place } step] ? step.Types[0] : layout;
        return number.Type is { } type ? Find(type) : null;
    }
}
