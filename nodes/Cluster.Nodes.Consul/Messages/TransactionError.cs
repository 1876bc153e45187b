namespace Cluster.Nodes.Consul.Messages;

/// <summary>Why one step made Consul refuse the whole transaction. Immutable.</summary>
/// <param name="OpIndex">The step, from zero.</param>
/// <param name="What">Consul's words.</param>
internal sealed record TransactionError(int OpIndex, string What);
