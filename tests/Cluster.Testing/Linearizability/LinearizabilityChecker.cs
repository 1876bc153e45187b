using Cluster.Testing.Linearizability.Registers;

namespace Cluster.Testing.Linearizability;

/// <summary>Checks whether a history is linearizable: each operation must have taken effect at one moment between its
/// begin and its end. The objects of different keys are checked separately. Stateless.</summary>
/// <remarks>The search is that of Wing and Gong with the memory of Lowe: "Testing for linearizability" (2017).</remarks>
public static class LinearizabilityChecker
{
    /// <summary>The default limit of steps for one key: some seconds of search.</summary>
    public const long StepsMaxDefault = 5_000_000;

    /// <summary>Checks a history of registers.</summary>
    /// <param name="history">The recorded calls.</param>
    /// <param name="stepsMax">The number of steps after which the search for one key gives up.</param>
    public static LinearizabilityVerdict Check<TKey>(RegisterHistory<TKey> history, long stepsMax = StepsMaxDefault)
        where TKey : notnull =>
        Check(history, RegisterModel.Instance, stepsMax);

    /// <summary>Checks a history. All of its callers must have finished.</summary>
    /// <param name="history">The recorded calls.</param>
    /// <param name="model">What the object of each key is.</param>
    /// <param name="stepsMax">The number of steps after which the search for one key gives up.</param>
    /// <returns>The first key that is not linearizable decides; then the first one that is undecided.</returns>
    public static LinearizabilityVerdict Check<TKey, TState, TOperation, TResult>(
        History<TKey, TOperation, TResult> history,
        IHistoryModel<TState, TOperation, TResult> model,
        long stepsMax = StepsMaxDefault)
        where TKey : notnull
        where TResult : struct
    {
        ArgumentNullException.ThrowIfNull(history);
        ArgumentNullException.ThrowIfNull(model);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(stepsMax);
        var (steps, undecided) = (0L, (LinearizabilityVerdict?)null);
        foreach (var calls in history.Calls.GroupBy(call => call.Key))
        {
            var search = new LinearizationSearch<TKey, TState, TOperation, TResult>([.. calls], model, stepsMax);
            var outcome = search.Run();
            steps += search.Steps;
            var verdict = new LinearizabilityVerdict(outcome, $"Key {calls.Key}: {search.Explanation}", steps);
            if (outcome == LinearizabilityOutcome.NotLinearizable)
                return verdict;
            if (outcome == LinearizabilityOutcome.Undecided)
                undecided ??= verdict;
        }

        return undecided is null
            ? new LinearizabilityVerdict(LinearizabilityOutcome.Linearizable, "", steps)
            : undecided with { Steps = steps };
    }
}
