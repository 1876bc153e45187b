using Cluster.Contracts;
using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Versions;
using Cluster.Testing.Simulation.Clients;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>The operations on numbers without a time to live are linearizable, with the versions that were told.
/// Partitions whose content was declared lost are left out.</summary>
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
        var verdict = LinearizabilityChecker.Check(HistoryOf(cluster), VersionedModel.Instance);
        if (!verdict.IsLinearizable)
            cluster.World.Violate("history", $"{verdict.Outcome}. {verdict.Explanation}");
    }

    private static History<string, VersionedOperation, VersionedResult> HistoryOf(SimulatedCluster cluster)
    {
        var history = new History<string, VersionedOperation, VersionedResult>();
        foreach (var operation in cluster.Operations)
        {
            var request = operation.Request;
            if (request.Key.Use is not (KeyUse.Number or KeyUse.Counter)
                || request.Reads == ReadMode.Stale
                || cluster.Store.Current[new PartitionId(request.Key.Partition)].LossCount > 0)
                continue;
            var answer = operation.Reply is { } reply ? AnswerOf(request, reply) : (VersionedResult?)null;
            var ended = answer is null ? long.MaxValue : operation.Returned.Ticks;
            history.Add(request.Key.Name, AskedBy(request), answer, operation.Invoked.Ticks, ended);
        }

        return history;
    }

    private static VersionedOperation AskedBy(ClientRequest request)
    {
        var action = request.Action switch
        {
            ClientAction.Get => VersionedAction.Get,
            ClientAction.Put => VersionedAction.Put,
            ClientAction.PutIfVersion => VersionedAction.PutIfVersion,
            ClientAction.Remove => VersionedAction.Remove,
            ClientAction.Touch => VersionedAction.Touch,
            ClientAction.Increment => VersionedAction.Increment,
            _ => throw new InvalidOperationException($"A number is not asked to {request.Action}."),
        };
        return new VersionedOperation(action, request.Argument, request.ExpectedVersion);
    }

    private static VersionedResult AnswerOf(ClientRequest request, ClientReply reply) => request.Action switch
    {
        ClientAction.Get when reply.Flag => new VersionedResult(Value: reply.Value, Version: reply.Version),
        ClientAction.Get => new VersionedResult(Version: 0),
        ClientAction.Increment => new VersionedResult(Value: reply.Value, Version: reply.Version),
        ClientAction.Put => new VersionedResult(Version: reply.Version),
        ClientAction.PutIfVersion => new VersionedResult(reply.Flag, Version: reply.Version),
        _ => new VersionedResult(reply.Flag),
    };
}
