using Cluster.Contracts;
using Cluster.Testing.Simulation.Nodes;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>One answer or notification on its way to a node. Immutable.</summary>
internal sealed record StoreAnswer(SimulatedNode Node, NodeId Life, NodeCall Call);
