using System.Diagnostics.Tracing;
using Cluster.Nodes.Tests.Clusters;
using Cluster.StateStore;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;
using static Cluster.Nodes.Tests.Clusters.ClusterFixture;

namespace Cluster.Nodes.Tests.Routing;

/// <summary>How often a put writes its value on the way to the record of another node. Each write but the last needs a
/// buffer that can hold the value: an array that is rented from the shared pool, or one that is allocated. The test
/// counts both on all threads of the process, in which the caller and the owner run and talk over real connections. The
/// last write goes into the pile, which has no managed memory. Code that has a buffer of its own for such values is not
/// seen: the size of the value is larger than any buffer that the product keeps.</summary>
[Collection(nameof(RunsAlone))]
public sealed class PutWalkTests(ITestOutputHelper output)
{
    private const string State = "blobs";

    // Larger than a batch, and small enough to travel in one piece.
    private const int ValueBytes = 40_000;

    private const int Puts = 30;
    private const int WritesMax = 5;

    [Fact]
    [Trait("Case", "put-walk")]
    public async Task PutAsync_AtAnotherNode_WritesTheValueFiveTimes()
    {
        await using var fixture = new ClusterFixture(StoreKind.Memory, output);
        TestNode[] nodes =
        [
            .. new[] { "n1", "n2" }.Select(name => fixture
                .Create(name, options => options.InitialNodeCount = 2)
                .AddState<byte[]>(State, state => state.Backups = 0)),
        ];
        await Task.WhenAll(nodes.Select(node => node.Host.StartAsync()));
        await WaitUntilOwnedAsync(nodes, nodes.Length);
        var blobs = nodes[0].Host.Services.GetRequiredService<IPartitionedState<string, byte[]>>();
        var key = Enumerable.Range(0, 1_000).Select(index => $"key-{index}")
            .First(key => nodes[0].Cluster.OwnerOf(State, key)?.Node.Name == "n2");
        var value = new byte[ValueBytes];
        await blobs.PutAsync(key, value);

        var least = int.MaxValue;
        for (var put = 1; put <= Puts; put++)
        {
            Array.Fill(value, (byte)put);
            using var buffers = new BufferCount(ValueBytes);
            await blobs.PutAsync(key, value);
            least = Math.Min(least, buffers.Read() + 1);
            Assert.Equal(value, await blobs.GetAsync(key));
        }

        output.WriteLine($"{least} writes");
        Assert.InRange(least, 2, WritesMax);
    }

    /// <summary>The test host allocates a little of its own meanwhile, but not each time.</summary>
    [Fact]
    public void Count_OfRentedAndAllocatedArrays_SeesEachOne()
    {
        var least = int.MaxValue;
        for (var round = 1; round <= Puts; round++)
        {
            using var buffers = new BufferCount(ValueBytes);
            ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(ValueBytes));
            ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(ValueBytes));
            GC.KeepAlive(new byte[ValueBytes]);
            ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(1_000));
            least = Math.Min(least, buffers.Read());
        }

        Assert.Equal(3, least);
    }

    /// <summary>Counts the arrays of a size or more that the process rents or allocates.</summary>
    private sealed class BufferCount(int bytesMin) : EventListener
    {
        private const string PoolEvents = "System.Buffers.ArrayPoolEventSource";
        private const string Rented = "BufferRented";
        private const string Allocated = "BufferAllocated";

        private readonly long _allocatedBefore = GC.GetTotalAllocatedBytes(precise: true);
        private long _allocatedByPool;
        private int _rentedCount;

        public int Read()
        {
            var allocated = GC.GetTotalAllocatedBytes(precise: true) - _allocatedBefore;
            return Volatile.Read(ref _rentedCount)
                + (int)((allocated - Interlocked.Read(ref _allocatedByPool)) / bytesMin);
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == PoolEvents)
                EnableEvents(eventSource, EventLevel.Verbose);
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName is not (Rented or Allocated))
                return;
            var bytes = (int)eventData.Payload![1]!;
            if (eventData.EventName == Allocated)
                Interlocked.Add(ref _allocatedByPool, bytes);
            else if (bytes >= bytesMin)
                Interlocked.Increment(ref _rentedCount);
        }
    }
}
