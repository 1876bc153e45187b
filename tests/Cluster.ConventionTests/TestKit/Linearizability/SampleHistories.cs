using Cluster.Testing.Linearizability;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>Makes histories of sample objects, and judges small ones by trying every order. Stateless.</summary>
internal static class SampleHistories
{
    /// <summary>Calls that each took effect at one moment, or never where the outcome is unknown.</summary>
    public static History<int, TOperation, TResult> Make<TState, TOperation, TResult>(
        SampleObject<TState, TOperation, TResult> sample, HistorySize size, int seed)
        where TResult : struct
    {
        var random = new Random(seed);
        var history = new History<int, TOperation, TResult>();
        var states = new TState[size.Keys];
        Array.Fill(states, sample.Model.Initial);
        var free = new long[size.Callers];
        long moment = 0;
        for (var number = 1L; number <= size.Calls; number++)
        {
            // Effects follow each other. A call begins before and ends after its effect, but calls of one caller do not
            // overlap.
            var caller = number % size.Callers;
            moment += random.Next(1, 4);
            var began = Math.Min(Math.Max(free[caller], moment - random.Next(2 * size.Callers)), moment);
            var ended = moment + random.Next(size.Callers);
            free[caller] = ended + 1;
            var key = random.Next(size.Keys);
            var operation = sample.Draw(random, number);
            var isUnknown = random.NextDouble() < size.UnknownShare;
            if (isUnknown && random.Next(2) == 0)
            {
                history.Add(key, operation, null, began, ended);
                continue;
            }

            (states[key], var answer) = sample.Run(operation, states[key], number);
            history.Add(key, operation, isUnknown ? null : answer, began, ended);
        }

        return history;
    }

    /// <summary>A few calls on one object; some answers are those of another moment.</summary>
    public static History<int, TOperation, TResult> MakeSmall<TState, TOperation, TResult>(
        SampleObject<TState, TOperation, TResult> sample, Random random)
        where TResult : struct
    {
        var history = new History<int, TOperation, TResult>();
        var states = new List<TState> { sample.Model.Initial };
        var count = random.Next(2, 7);
        for (var number = 1; number <= count; number++)
        {
            var began = random.Next(12);
            var operation = sample.Draw(random, number);
            var (after, answer) = sample.Run(operation, states[random.Next(states.Count)], number);
            states.Add(after);
            history.Add(0, operation, random.Next(4) == 0 ? null : answer, began, began + 1 + random.Next(12));
        }

        return history;
    }

    /// <summary>Whether an order of all known calls and some unknown calls explains every answer.</summary>
    public static bool HasAnOrder<TState, TOperation, TResult>(
        IHistoryModel<TState, TOperation, TResult> model,
        IReadOnlyList<HistoryCall<int, TOperation, TResult>> calls,
        TState state)
        where TResult : struct
    {
        if (!calls.Any(call => call.IsKnown))
            return true;
        foreach (var next in calls.Where(call => !calls.Any(other => other != call && other.Ended < call.Began)))
        {
            var rest = calls.Where(call => call != next).ToList();
            for (var branch = 0; branch < model.Branches(next.Operation); branch++)
            {
                if (model.TryApply(next.Operation, next.Result, state, branch, out var after)
                    && HasAnOrder(model, rest, after))
                    return true;
            }
        }

        return false;
    }
}

/// <summary>How large a history is. Immutable.</summary>
internal sealed record HistorySize(int Calls, int Keys, int Callers, double UnknownShare);
