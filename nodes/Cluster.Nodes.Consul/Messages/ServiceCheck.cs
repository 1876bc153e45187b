using System.Text.Json.Serialization;

namespace Cluster.Nodes.Consul.Messages;

/// <summary>A check that turns critical when it is not beaten in time. Immutable.</summary>
/// <param name="CheckId">Unique on the agent.</param>
/// <param name="Name">What operators see.</param>
/// <param name="TimeToLive">How long one beat lasts, in Consul's notation.</param>
/// <param name="Status">The state before the first beat.</param>
/// <param name="DeregisterCriticalServiceAfter">When Consul forgets a service that is beaten no more.</param>
internal sealed record ServiceCheck(
    [property: JsonPropertyName("CheckID")] string CheckId,
    string Name,
    [property: JsonPropertyName("TTL")] string TimeToLive,
    string Status,
    string DeregisterCriticalServiceAfter);
