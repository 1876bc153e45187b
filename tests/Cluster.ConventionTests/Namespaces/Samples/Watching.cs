using Cluster.StateStore;
using Cluster.StateStore.Changes;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Follows the changes of a state.</summary>
internal static class Watching
{
    public static async Task<int> CountAsync(
        IPartitionedState<string, string> notes, CancellationToken cancellationToken)
    {
        var count = 0;
        await foreach (var change in notes.WatchAsync(cancellationToken))
            count += change.Kind == StateChangeKind.Began ? 0 : 1;
        return count;
    }
}
