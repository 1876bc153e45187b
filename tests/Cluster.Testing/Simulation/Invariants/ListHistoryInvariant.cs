using Cluster.Contracts;
using Cluster.Testing.Simulation.Clients;

namespace Cluster.Testing.Simulation.Invariants;

/// <summary>The appends and reads of lists are linearizable, and each append took effect at most once (I10). Lists only
/// grow, so this needs no search: of two lists that were seen, one is the beginning of the other.</summary>
public sealed class ListHistoryInvariant : IInvariant
{
    /// <inheritdoc />
    public void Check(SimulatedCluster cluster)
    {
    }

    /// <inheritdoc />
    public void CheckEnd(SimulatedCluster cluster)
    {
        ArgumentNullException.ThrowIfNull(cluster);
        var lists = cluster.Operations
            .Where(operation => operation.Request.Key.Use == KeyUse.List && operation.Outcome == ClientOutcome.Done)
            .Where(operation => operation.Request.Reads != ReadMode.Stale)
            .Where(operation =>
                cluster.Store.Current[new PartitionId(operation.Request.Key.Partition)].LossCount == 0)
            .GroupBy(operation => operation.Request.Key);
        foreach (var list in lists)
        {
            if (FindViolation([.. list]) is { } violation)
                cluster.World.Violate("history", $"{list.Key}: {violation}");
        }
    }

    /// <summary>Returns what is wrong with the answered operations on one list, or null.</summary>
    /// <param name="operations">The operations.</param>
    public static string? FindViolation(IReadOnlyCollection<ClientOperation> operations)
    {
        var longest = operations.Select(operation => operation.Reply!.Items).MaxBy(items => items.Length);
        if (longest.Distinct().Count() != longest.Length)
            return $"an item was appended twice: [{string.Join(", ", longest)}]";
        foreach (var operation in operations)
        {
            var items = operation.Reply!.Items;
            if (!longest.AsSpan().StartsWith(items.AsSpan()))
                return $"{operation} is no beginning of [{string.Join(", ", longest)}]";
            if (IsAppend(operation) && (items.Length == 0 || items[^1] != operation.Request.Argument))
                return $"{operation} does not end with its own item";
        }

        return FindReversal(operations);
    }

    // An operation that began after another one had returned sees at least the other one's list.
    private static string? FindReversal(IReadOnlyCollection<ClientOperation> operations)
    {
        var returned = new Queue<ClientOperation>(operations.OrderBy(operation => operation.Returned));
        var seen = 0;
        foreach (var operation in operations.OrderBy(operation => operation.Invoked))
        {
            while (returned.TryPeek(out var earlier) && earlier.Returned < operation.Invoked)
                seen = Math.Max(seen, returned.Dequeue().Reply!.Items.Length);
            if (operation.Reply!.Items.Length < seen + (IsAppend(operation) ? 1 : 0))
                return $"{operation} began after a list of {seen} items had been seen";
        }

        return null;
    }

    private static bool IsAppend(ClientOperation operation) => operation.Request.Action == ClientAction.Append;
}
