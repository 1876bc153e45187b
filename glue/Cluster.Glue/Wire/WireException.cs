namespace Cluster.Glue.Wire;

/// <summary>The peer's bytes break the protocol. Ends that peer's link and nothing else.</summary>
internal sealed class WireException(string message) : Exception(message);
