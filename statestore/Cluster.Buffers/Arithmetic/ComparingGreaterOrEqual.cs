using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>The comparison for greater or equal. Stateless.</summary>
internal readonly struct ComparingGreaterOrEqual : IComparing
{
    public static bool Holds<T>(T left, T right)
        where T : unmanaged, INumber<T> => left >= right;

    public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
        where T : unmanaged, INumber<T> => Vector256.GreaterThanOrEqual(left, right);
}
