using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>Consul's answer to a new session. Immutable.</summary>
/// <param name="Id">The session's id.</param>
internal sealed record SessionCreated([property: JsonPropertyName("ID")] string Id);
