namespace Cluster.Testing.Linearizability;

/// <summary>Says whether a history can be explained by operations that each took effect at one moment between their
/// begin and their end. Registers are judged one by one. Stateless.</summary>
public static class LinearizabilityChecker
{
    /// <summary>The default limit of steps for one key, some seconds of search.</summary>
    public const long StepsMaxDefault = 50_000_000;

    /// <summary>Judges a history whose callers are all done.</summary>
    /// <param name="history">What was recorded.</param>
    /// <param name="stepsMax">After how many steps the search for one key gives up.</param>
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
