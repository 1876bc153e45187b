using Cluster.StateStore;

namespace Cluster.SystemTests.Host;

/// <summary>Adds to a counter on its owner, as the next version of the service does.</summary>
/// <param name="number">What is added.</param>
public sealed class Add(long number) : IStateOperation<Counter, long>
{
    private const int MarksMax = 4;

    private readonly string? _origin = "next";
    private readonly long _number = number;

    /// <inheritdoc />
    public long Apply(ref Counter? state, in OperationContext context)
    {
        state ??= new Counter();
        state.Origin = new Origin { Name = _origin ?? "before" };
        state.Marks ??= [];
        state.Marks.Add($"added {_number}");
        if (state.Marks.Count > MarksMax)
            state.Marks.RemoveAt(0);
        return state.Number += _number;
    }
}
