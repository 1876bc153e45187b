using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>The six comparisons. Each is a type, so that the loops are compiled for each. Stateless.</summary>
internal static class Comparisons
{
    /// <summary>The comparison for equality.</summary>
    public readonly struct Equal : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left == right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => Vector256.Equals(left, right);
    }

    /// <summary>The comparison for inequality.</summary>
    public readonly struct NotEqual : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left != right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => ~Vector256.Equals(left, right);
    }

    /// <summary>The comparison for less.</summary>
    public readonly struct Less : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left < right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => Vector256.LessThan(left, right);
    }

    /// <summary>The comparison for less or equal.</summary>
    public readonly struct LessOrEqual : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left <= right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => Vector256.LessThanOrEqual(left, right);
    }

    /// <summary>The comparison for greater.</summary>
    public readonly struct Greater : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left > right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => Vector256.GreaterThan(left, right);
    }

    /// <summary>The comparison for greater or equal.</summary>
    public readonly struct GreaterOrEqual : IComparing
    {
        public static bool Holds<T>(T left, T right)
            where T : unmanaged, INumber<T> => left >= right;

        public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
            where T : unmanaged, INumber<T> => Vector256.GreaterThanOrEqual(left, right);
    }
}
