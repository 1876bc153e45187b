using Cluster.StateStore.Hosting;
using Cluster.StateStore.Hosting.States;
using Xunit.Abstractions;

namespace Cluster.StateStore.Tests.Hosting;

/// <summary>How much native memory an entry takes on its owner: its record with key and stamp, its share of the index
/// and of the bookkeeping. Blocks that are free for any use do not count.</summary>
public sealed class EntryMemoryTests(ITestOutputHelper output)
{
    private const int ValueBytes = 200;
    private const double BytesMax = 300;
    private static readonly StateDefinition<long, byte[]> Values = StateDefinition.Create<long, byte[]>("values");

    // The index grows in steps, so the share of an entry depends on their number.
    [Theory]
    [Trait("Case", "entry-memory")]
    [InlineData(50_000)]
    [InlineData(70_000)]
    [InlineData(140_000)]
    [InlineData(200_000)]
    public async Task Put_ManyValuesOf200Bytes_TakesAtMost300BytesForEach(int count)
    {
        await using var cluster = await SimulatedCluster.StartAsync(nodes: 1, catalog: new StateCatalog([Values]));
        var state = new StateClient<long, byte[]>(Values, cluster[0].Router);
        var value = new byte[ValueBytes];
        for (var key = 0L; key < count; key++)
            await state.PutAsync(key, value);

        var pile = cluster[0].Pile.GetStatistics();
        var bytes = (double)(pile.ReservedBytes - pile.FreeBytes) / count;
        output.WriteLine($"{bytes:0.0} bytes for an entry");
        Assert.InRange(bytes, ValueBytes, BytesMax);
    }
}
