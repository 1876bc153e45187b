using Cluster.StateStore;

namespace Telemetry;

/// <summary>One more visit. It runs on the node that owns the page.</summary>
public sealed class Visit : IStateOperation<int, int>
{
    /// <inheritdoc />
    public int Apply(ref int value, in OperationContext context) => ++value;
}
