using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>What one step of a transaction answered. Immutable.</summary>
/// <param name="KeyValue">The key after the step.</param>
internal sealed record TransactionResult([property: JsonPropertyName("KV")] KeyValueEntry KeyValue);
