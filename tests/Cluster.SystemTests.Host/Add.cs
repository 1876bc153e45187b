using Cluster.StateStore;

namespace Cluster.SystemTests.Host;

/// <summary>Adds to a counter on its owner. A counter that is not there counts as zero.</summary>
/// <param name="number">What is added.</param>
public sealed class Add(long number) : IStateOperation<Counter, long>
{
    private readonly long _number = number;

    /// <inheritdoc />
    public long Apply(ref Counter? state, in OperationContext context)
    {
        state ??= new Counter();
        return state.Number += _number;
    }
}
