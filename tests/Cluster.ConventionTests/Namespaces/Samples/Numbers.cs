using Cluster.Buffers;
using Cluster.Buffers.Arithmetic;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Calculates with a typed array.</summary>
internal static class Numbers
{
    public static double Double(SafeArray<double> numbers, SafeArray<double> into)
    {
        numbers.Multiply(2, into);
        return into[0];
    }
}
