namespace Cluster.Glue.Resilience;

/// <summary>The budgets of all peers of one client, by address. A concurrent dictionary protects itself.</summary>
internal sealed class RetryBudgets(double ratio)
{
    private readonly ConcurrentDictionary<string, RetryBudget> _budgets = new(StringComparer.Ordinal);

    public RetryBudget Of(string address) =>
        _budgets.TryGetValue(address, out var budget)
            ? budget
            : _budgets.GetOrAdd(address, _ => new RetryBudget(ratio));
}
