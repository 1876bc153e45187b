namespace Cluster.Testing.Linearizability.Counters;

/// <summary>A number that is only added to and read. Stateless.</summary>
public sealed class CounterModel : IHistoryModel<long, CounterOperation, CounterResult>
{
    /// <summary>The only instance.</summary>
    public static CounterModel Instance { get; } = new();

    /// <inheritdoc />
    public long Initial => 0;

    /// <inheritdoc />
    public bool IsRead(CounterOperation operation) => operation.By == 0;

    /// <inheritdoc />
    public bool TryApply(CounterOperation operation, CounterResult? result, long state, int branch, out long after)
    {
        after = state + operation.By;
        return result?.Sum is not { } sum || sum == after;
    }
}

/// <summary>A request to a counter. Immutable.</summary>
/// <param name="By">What is added; zero: the counter is read.</param>
public readonly record struct CounterOperation(long By);

/// <summary>The answer of a counter. Immutable.</summary>
/// <param name="Sum">The number afterwards; null: the answer does not tell.</param>
public readonly record struct CounterResult(long? Sum);
