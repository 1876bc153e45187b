using Cluster.Glue;
using Cluster.StateStore;
using Cluster.Testing;
using Microsoft.Extensions.DependencyInjection;
using Xunit.Abstractions;
using static Cluster.Nodes.Storage.Tests.Clusters.StorageCluster;
using static Cluster.Nodes.Storage.Tests.Clusters.WriteBehindTests;

namespace Cluster.Nodes.Storage.Tests.Clusters;

/// <summary>Writes whose owner has no room in its queue, in real time.</summary>
public sealed class RemoteFullQueueTests(ITestOutputHelper output)
{
    [Fact]
    public async Task Write_FromAnotherNode_NamesTheOption_AndItsValueIsStoredOnceThereIsRoom()
    {
        const int Room = 3;
        await using var cluster = new StorageCluster(output);

        // Other calls of these nodes end after 4 s. The call that asks the owner for room still waits for its answer.
        cluster.Extension = static builder => builder.Services.Configure<GlueClientOptions>(
            static options => options.DefaultDeadline = TimeSpan.FromSeconds(4));
        var gate = new TaskCompletionSource();
        cluster.Storage.BeforeStore = _ => gate.Task;
        var nodes = await cluster.StartAsync(2, options =>
        {
            Behind(TimeSpan.Zero)(options);
            options.MaxWaitingKeys = Room;
            options.StorageTimeout = TimeSpan.FromSeconds(25);
        });
        for (var index = 0; index < Room; index++)
            await nodes[1].Accounts.PutAsync(nodes[0].OwnKey($"{index}"), new Account());
        var late = nodes[0].OwnKey("late");

        var started = Stopwatch.GetTimestamp();
        var failure = await Assert.ThrowsAsync<StateStorageException>(
            async () => await nodes[1].Accounts.PutAsync(late, new Account { Balance = 9 }));

        Assert.InRange(Stopwatch.GetElapsedTime(started), TimeSpan.FromSeconds(9.5), Bound);
        Assert.Contains("MaxWaitingKeys", failure.Message, StringComparison.Ordinal);
        Assert.Equal(9, (await nodes[1].Accounts.GetAsync(late))!.Balance);
        gate.SetResult();
        await Eventually.TrueAsync(() => cluster.Storage[late]?.Value?.Balance == 9, Bound);
    }
}
