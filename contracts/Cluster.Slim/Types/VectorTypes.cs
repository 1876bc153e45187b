using System.Runtime.Intrinsics;

namespace Cluster.Slim.Types;

/// <summary>Which vectors of hardware width are carried: those of numbers that have one size everywhere.</summary>
internal static class VectorTypes
{
    private static readonly HashSet<Type> Fixed =
        [typeof(Vector64<>), typeof(Vector128<>), typeof(Vector256<>), typeof(Vector512<>)];

    private static readonly HashSet<Type> Elements =
    [
        typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long),
        typeof(ulong), typeof(float), typeof(double),
    ];

    /// <summary>Whether the type is a vector of as many elements as its name says.</summary>
    public static bool IsFixed(Type type) =>
        type.IsGenericType && Fixed.Contains(type.GetGenericTypeDefinition()) && HasElements(type);

    /// <summary>Whether the type is a vector of as many elements as the machine likes.</summary>
    public static bool IsOfMachine(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Vector<>) && HasElements(type);

    private static bool HasElements(Type type) => Elements.Contains(type.GetGenericArguments()[0]);
}
