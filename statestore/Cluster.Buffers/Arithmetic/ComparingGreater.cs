using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>The comparison for greater. Stateless.</summary>
internal readonly struct ComparingGreater : IComparing
{
    public static bool Holds<T>(T left, T right)
        where T : unmanaged, INumber<T> => left > right;

    public static Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
        where T : unmanaged, INumber<T> => Vector256.GreaterThan(left, right);
}
