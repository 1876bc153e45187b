using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>A service's check that a session depends on. Immutable.</summary>
/// <param name="Id">The check's id.</param>
internal sealed record SessionServiceCheck([property: JsonPropertyName("ID")] string Id);
