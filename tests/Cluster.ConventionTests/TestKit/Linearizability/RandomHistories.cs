using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Registers;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>Makes histories for tests of the checker. Judges small histories by trying every order.
/// Stateless.</summary>
internal static class RandomHistories
{
    private const int SmallCalls = 6;
    private const int SmallTimes = 12;
    private const int ActionCount = 6;

    /// <summary>A few calls on one register with random answers. About half of these histories are
    /// linearizable.</summary>
    public static RegisterHistory<int> Small(Random random)
    {
        var history = new RegisterHistory<int>();
        var count = random.Next(2, SmallCalls);
        for (var i = 0; i < count; i++)
        {
            var began = random.Next(SmallTimes);
            var operation = Operation(random, random.Next(3));
            RegisterResult? answer = random.Next(5) == 0 ? null : Answer(random, operation);
            history.Add(0, operation, answer, began, began + 1 + random.Next(SmallTimes));
        }

        return history;
    }

    /// <summary>Whether an order of all known calls and some unknown calls explains every answer.</summary>
    public static bool HasAnOrder(IReadOnlyList<HistoryCall<int, RegisterOperation, RegisterResult>> calls, long? state = null)
    {
        if (!calls.Any(call => call.IsKnown))
            return true;
        foreach (var next in calls.Where(call => !calls.Any(other => other != call && other.Ended < call.Began)))
        {
            var rest = calls.Where(call => call != next).ToList();
            if (Ways(next.Operation, state).Any(way => Fits(next, way.Answer) && HasAnOrder(rest, way.After)))
                return true;
        }

        return false;
    }

    // Not the checker's own model, so that a mistake in that model shows.
    private static IEnumerable<(long? After, RegisterResult Answer)> Ways(RegisterOperation operation, long? state)
    {
        switch (operation.Action)
        {
            case RegisterAction.Read:
                yield return (state, RegisterResult.Of(state));
                break;
            case RegisterAction.Write:
                yield return (operation.Value, RegisterResult.Of(state.HasValue));
                break;
            case RegisterAction.Delete:
                yield return (null, RegisterResult.Of(state.HasValue));
                break;
            case RegisterAction.Increment:
                var sum = state.GetValueOrDefault() + operation.Value;
                yield return (sum, RegisterResult.Of((long?)sum));
                break;
            case RegisterAction.CompareAndSwap:
                var swaps = Equals(state, operation.Expected);
                yield return (swaps ? operation.Value : state, RegisterResult.Of(swaps));
                break;
            case RegisterAction.ReadOrWrite when state is null:
                yield return (operation.Value, RegisterResult.Of((long?)operation.Value));
                yield return (null, RegisterResult.Of((long?)operation.Value));
                break;
            case RegisterAction.ReadOrWrite:
                yield return (state, RegisterResult.Of(state));
                break;
        }
    }

    private static bool Fits(HistoryCall<int, RegisterOperation, RegisterResult> call, RegisterResult answer)
    {
        if (!call.IsKnown)
            return true;
        var isSilent = call.Operation.Action is not (RegisterAction.Read or RegisterAction.ReadOrWrite);
        return call.Result == answer || (isSilent && call.Result == RegisterResult.Done);
    }

    private static RegisterOperation Operation(Random random, long value) => random.Next(ActionCount) switch
    {
        0 => RegisterOperation.Read(),
        1 => RegisterOperation.Write(value),
        2 => RegisterOperation.CompareAndSwap(random.Next(2) == 0 ? null : value - 1, value),
        3 => RegisterOperation.Delete(),
        4 => RegisterOperation.Increment(value),
        _ => RegisterOperation.ReadOrWrite(value),
    };

    private static RegisterResult Answer(Random random, RegisterOperation operation) => operation.Action switch
    {
        RegisterAction.Read => RegisterResult.Of(random.Next(3) == 0 ? null : random.Next(3)),
        RegisterAction.ReadOrWrite => RegisterResult.Of(random.Next(2) == 0 ? operation.Value : random.Next(3)),
        RegisterAction.Increment => RegisterResult.Of((long?)random.Next(4)),
        _ => random.Next(3) == 0 ? RegisterResult.Done : RegisterResult.Of(random.Next(2) == 0),
    };
}
