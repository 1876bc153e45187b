namespace Cluster.Nodes.Consul.Messages;

/// <summary>The outcome of a Consul transaction: all steps or none. Immutable.</summary>
/// <param name="Results">One per step that answers, when the transaction was done.</param>
/// <param name="Errors">At least one when it was refused.</param>
internal sealed record TransactionReply(TransactionResult[]? Results, TransactionError[]? Errors);
