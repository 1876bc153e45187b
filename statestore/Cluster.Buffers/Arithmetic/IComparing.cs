using System.Runtime.Intrinsics;

namespace Cluster.Buffers.Arithmetic;

/// <summary>One comparison, of numbers and of vectors alike.</summary>
internal interface IComparing
{
    static abstract bool Holds<T>(T left, T right)
        where T : unmanaged, INumber<T>;

    /// <summary>All bits of a lane are set where the comparison holds.</summary>
    static abstract Vector256<T> Holds<T>(Vector256<T> left, Vector256<T> right)
        where T : unmanaged, INumber<T>;
}
