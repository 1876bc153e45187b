using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>The outcome of a Consul transaction: all steps or none. Immutable.</summary>
/// <param name="Results">One per step that answers, when the transaction was done.</param>
/// <param name="Errors">At least one when it was refused.</param>
internal sealed record TransactionReply(TransactionResult[]? Results, TransactionError[]? Errors);

/// <summary>Why one step made Consul refuse the whole transaction. Immutable.</summary>
/// <param name="OpIndex">The step, from zero.</param>
/// <param name="What">Consul's words.</param>
internal sealed record TransactionError(int OpIndex, string What);

/// <summary>What one step of a transaction answered. Immutable.</summary>
/// <param name="KeyValue">The key after the step.</param>
internal sealed record TransactionResult([property: JsonPropertyName("KV")] KeyValueEntry KeyValue);
