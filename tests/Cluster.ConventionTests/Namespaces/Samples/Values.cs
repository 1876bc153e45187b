using Cluster.StateStore;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Reads and writes a state.</summary>
internal static class Values
{
    public static async Task<int> AddAsync(IPartitionedState<string, int> counts, CancellationToken cancellationToken)
    {
        await counts.PutAsync("tea", 1, StateExpiry.After(TimeSpan.FromMinutes(5)), cancellationToken);
        return await counts.UpdateAsync("tea", new Add(), cancellationToken);
    }

    public sealed class Add : IStateOperation<int, int>
    {
        public int Apply(ref int count, in OperationContext context) => ++count;
    }
}
