namespace Cluster.Testing.Linearizability;

/// <summary>Checks whether a history is linearizable: each operation must have taken effect at one moment between its
/// begin and its end. Each register is checked separately. Stateless.</summary>
public static class LinearizabilityChecker
{
    /// <summary>The default limit of steps for one key: some seconds of search.</summary>
    public const long StepsMaxDefault = 50_000_000;

    /// <summary>Checks a history. All of its callers must have finished.</summary>
    /// <param name="history">The recorded calls.</param>
    /// <param name="stepsMax">The number of steps after which the search for one key gives up.</param>
    public static LinearizabilityVerdict Check<TKey>(
        RegisterHistory<TKey> history, long stepsMax = StepsMaxDefault)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(history);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(stepsMax);
        foreach (var calls in history.Calls.GroupBy(call => call.Key))
        {
            var search = new LinearizationSearch<TKey>([.. calls], stepsMax);
            var outcome = search.Run();
            if (outcome != LinearizabilityOutcome.Linearizable)
                return new LinearizabilityVerdict(outcome, $"Key {calls.Key}: {search.Explanation}");
        }

        return LinearizabilityVerdict.Good;
    }
}
