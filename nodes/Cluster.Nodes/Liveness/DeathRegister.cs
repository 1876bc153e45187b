using System.Collections.Concurrent;
using Cluster.Contracts;

namespace Cluster.Nodes.Liveness;

/// <summary>
/// Remembers what proved the deaths that this process has found itself, so that the announcement can name it.
/// Bounded: when full it forgets everything, which costs a reason in a message. Safe for concurrent use.
/// </summary>
internal sealed class DeathRegister
{
    internal const int CountMax = 1_024;

    private readonly ConcurrentDictionary<NodeId, string> _proofs = new();

    internal void Add(LifeVerdict death)
    {
        if (_proofs.Count >= CountMax) _proofs.Clear();
        _proofs[death.Node] = death.Reason;
    }

    /// <summary>The proof, or words that say who found it instead.</summary>
    internal string ReasonOf(NodeId node) => _proofs.GetValueOrDefault(node, "as the coordinator found");
}
