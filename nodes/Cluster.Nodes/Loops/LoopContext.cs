using Cluster.Contracts.Pacing;
using Cluster.Nodes.Configuration;
using Microsoft.Extensions.Logging;

namespace Cluster.Nodes.Loops;

/// <summary>The clock, log and jitter seed that all background loops of one host share. Immutable.</summary>
internal sealed class LoopContext(TimeProvider time, NodeIdentity self, ILogger<LoopContext> logger)
{
    public TimeProvider Time { get; } = time;

    public ILogger Logger { get; } = logger;

    /// <summary>Creates the jitter of one loop. The seed differs on each node, so that nodes do not act in
    /// step.</summary>
    public Jitter CreateJitter(string purpose) => new(HashCode.Combine(self.Node, purpose));
}
