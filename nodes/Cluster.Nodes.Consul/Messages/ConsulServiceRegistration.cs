using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>A service that an agent is to know, with its check. Immutable.</summary>
/// <param name="Id">Unique on the agent.</param>
/// <param name="Name">What the service is called in Consul's catalog.</param>
/// <param name="Address">Its host.</param>
/// <param name="Port">Its port.</param>
/// <param name="Meta">What operators may want to see.</param>
/// <param name="Check">How its health is known.</param>
internal sealed record ConsulServiceRegistration(
    [property: JsonPropertyName("ID")] string Id,
    string Name,
    string Address,
    int Port,
    Dictionary<string, string> Meta,
    ServiceCheck Check);
