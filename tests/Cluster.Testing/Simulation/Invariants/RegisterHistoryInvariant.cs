using Cluster.Contracts;
using Cluster.Testing.Linearizability;
using Cluster.Testing.Simulation.Clients;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>The operations on numbers without a time to live are linearizable. Partitions whose content was declared
/// lost are left out, and so are answers that say nothing about the value.</summary>
public sealed class RegisterHistoryInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        var verdict = LinearizabilityChecker.Check(HistoryOf(cluster));
        if (!verdict.IsLinearizable)
            cluster.World.Violate("history", verdict.Explanation);
    }

    /// <summary>Translates the operations of a run for the checker.</summary>
    /// <param name="cluster">The run.</param>
    public static RegisterHistory<string> HistoryOf(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        var history = new RegisterHistory<string>();
        foreach (var operation in cluster.Operations)
        {
            var request = operation.Request;
            if (request.Key.Use is not (KeyUse.Number or KeyUse.Counter)
                || cluster.Store.Current[new PartitionId(request.Key.Partition)].LossCount > 0)
                continue;
            if (Translate(operation) is not var (asked, answer))
                continue;
            var ended = answer is null ? long.MaxValue : operation.Returned.Ticks;
            history.Add(request.Key.Name, asked, answer, operation.Invoked.Ticks, ended);
        }

        return history;
    }

    private static (RegisterOperation Asked, RegisterResult? Answer)? Translate(ClientOperation operation)
    {
        var request = operation.Request;
        var reply = operation.Reply;
        return request.Action switch
        {
            ClientAction.Get when reply is null => null,
            ClientAction.Get => (RegisterOperation.Read(), RegisterResult.Of(reply.Flag ? reply.Value : (long?)null)),
            ClientAction.Put => (
                RegisterOperation.Write(request.Argument), reply is null ? null : RegisterResult.Done),
            ClientAction.Remove => (RegisterOperation.Delete(), reply is null ? null : RegisterResult.Of(reply.Flag)),
            ClientAction.Increment => (
                RegisterOperation.Increment(request.Argument),
                reply is null ? null : RegisterResult.Of((long?)reply.Value)),
            ClientAction.PutIfVersion => TranslateConditional(operation),
            _ => null,
        };
    }

    // An entry of another version may have the same value, so a condition that failed tells something only where no
    // entry was expected.
    private static (RegisterOperation Asked, RegisterResult? Answer)? TranslateConditional(ClientOperation operation)
    {
        var swap = RegisterOperation.CompareAndSwap(operation.Expected, operation.Request.Argument);
        if (operation.Reply is not { } reply)
            return (swap, null);
        return reply.Flag || operation.Request.ExpectedVersion == 0 ? (swap, RegisterResult.Of(reply.Flag)) : null;
    }
}
