using PolyType;
using StreamJsonRpc;

namespace Cluster.Benchmarks.Glue;

/// <summary>The small call, as StreamJsonRpc carries it.</summary>
[JsonRpcContract]
[GenerateShape(IncludeMethods = MethodShapeFlags.PublicInstance)]
public partial interface IAdder
{
    /// <summary>Adds.</summary>
    /// <param name="left">A summand.</param>
    /// <param name="right">A summand.</param>
    Task<int> AddAsync(int left, int right);
}
