using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>One step of a Consul transaction. Immutable.</summary>
/// <param name="KeyValue">What to do with which key.</param>
internal sealed record TransactionOperation([property: JsonPropertyName("KV")] KeyValueOperation KeyValue);
