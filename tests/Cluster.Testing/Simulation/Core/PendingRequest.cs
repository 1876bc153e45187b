using Cluster.Testing.Simulation.Clients;

namespace Cluster.Testing.Simulation.Core;

/// <summary>A write that has not been answered. Immutable.</summary>
/// <param name="Client">The client's end point.</param>
/// <param name="Request">The request.</param>
internal sealed record PendingRequest(int Client, ClientRequest Request);
