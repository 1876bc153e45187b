using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>The comparison for less or equal. Stateless.</summary>
internal readonly struct ComparingLessOrEqual : IComparing
{
    public static bool Holds<T>(T left, T right)
        where T : unmanaged, INumber<T> => left <= right;

    public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
        where T : unmanaged, INumber<T> => Vector256.LessThanOrEqual(left, right);
}
