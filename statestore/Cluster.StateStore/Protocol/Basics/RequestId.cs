namespace Cluster.StateStore.Protocol.Basics;

/// <summary>The identity of a client's request, the same in each attempt.</summary>
/// <param name="Client">The incarnation of the client.</param>
/// <param name="Sequence">The number of the request, counted by the client.</param>
/// <param name="LowWater">The client repeats no request below this number.</param>
internal readonly record struct RequestId(Guid Client, long Sequence, long LowWater);
