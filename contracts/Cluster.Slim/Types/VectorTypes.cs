using System.Runtime.Intrinsics;

namespace Cluster.Slim.Types;

/// <summary>Decides which hardware vectors Slim carries: vectors of numbers that have the same size on every
/// machine.</summary>
internal static class VectorTypes
{
    private static readonly HashSet<Type> Fixed =
        [typeof(Vector64<>), typeof(Vector128<>), typeof(Vector256<>), typeof(Vector512<>)];

    private static readonly HashSet<Type> Elements =
    [
        typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long),
        typeof(ulong), typeof(float), typeof(double),
    ];

    /// <summary>Whether the type is a vector whose name tells its width, such as <c>Vector128</c>.</summary>
    public static bool IsFixed(Type type) =>
        type.IsGenericType && Fixed.Contains(type.GetGenericTypeDefinition()) && HasElements(type);

    /// <summary>Whether the type is a vector whose width depends on the machine.</summary>
    public static bool IsOfMachine(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Vector<>) && HasElements(type);

    private static bool HasElements(Type type) => Elements.Contains(type.GetGenericArguments()[0]);
}
