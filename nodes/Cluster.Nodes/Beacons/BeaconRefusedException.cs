namespace Cluster.Nodes.Beacons;

/// <summary>The other side of a connection has not said what the format of beacons asks for, or is not of this
/// cluster. The message completes "the connection was closed: …".</summary>
internal sealed class BeaconRefusedException(string message) : Exception(message);
