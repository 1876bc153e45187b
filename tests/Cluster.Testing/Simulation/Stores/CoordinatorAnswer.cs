using Cluster.Contracts;

namespace Cluster.Testing.Simulation.Stores;

/// <summary>The answer to the question for the role of the coordinator. Immutable.</summary>
/// <param name="IsAnswered">False: the store did not answer in time, and the role may have been given or not.</param>
/// <param name="Holder">The life that has the role.</param>
public sealed record CoordinatorAnswer(bool IsAnswered, NodeId Holder);
