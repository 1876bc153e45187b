using Cluster.Contracts;
using Cluster.Glue;
using Cluster.Nodes;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.Tables;
using Cluster.SystemTests.Host;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Nodes;

/// <summary>Faults of a cluster of real processes: a node is killed, paused, restarted or stopped.</summary>
public abstract class NodeFaultTests(ITestOutputHelper output)
{
    private const int KeyCount = 60;
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(20);
    private static readonly TimeSpan Starvation = TimeSpan.FromSeconds(6);

    private protected ITestOutputHelper Output { get; } = output;

    private protected abstract Task<NodeProcesses> OpenAsync();

    private protected async Task CheckKillAsync(bool isCoordinator)
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2", "n3");
        await using var events = new EventLog(nodes.Cluster);
        var coordinator = await nodes.FindCoordinatorAsync();
        var victim = isCoordinator ? coordinator : new[] { "n1", "n2", "n3" }.First(name => name != coordinator);
        var survivor = new[] { "n1", "n2", "n3" }.First(name => name != victim);
        var (lost, kept) = (nodes.KeysOf(victim, KeyCount), nodes.KeysOf(survivor, KeyCount));
        await nodes.FillAsync([.. lost, .. kept]);
        await Eventually.TrueAsync(
            async () => await nodes.IsCountedByAllAsync(lost.Length + kept.Length), NodeProcesses.StartBound,
            "every node has counted every entry");
        var owned = nodes.Table.Partitions.Count(entry => OwnerName(nodes, entry) == victim);

        var watch = Stopwatch.StartNew();
        nodes[victim].KillAlone();
        foreach (var key in kept)
            Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
        await nodes.WaitUntilSharedAsync(2, NodeProcesses.RecoveryBound);
        Output.WriteLine($"Owned again after {watch.Elapsed.TotalSeconds:0.00} s");

        foreach (var key in lost)
            Assert.Null(await nodes.Notes.GetAsync(key));
        foreach (var key in kept)
            Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
        await nodes.FillAsync(lost);
        await Eventually.TrueAsync(
            () => events.Find(ClusterEventKind.PartitionsLost) is not null, NodeProcesses.StartBound);
        Assert.Equal(victim, events.Find(ClusterEventKind.NodeDied)!.Node!.Value.Name);
        var loss = events.Find(ClusterEventKind.PartitionsLost)!;
        Assert.Equal((owned, (long?)KeyCount), (loss.PartitionCount, loss.EntriesLost));
        Assert.Equal(owned, nodes.Table.Partitions.Sum(entry => entry.LossCount));
    }

    /// <summary>Kills a node while others write. Each partition has a copy, so nothing that was acknowledged is
    /// lost.</summary>
    private protected async Task CheckKillWithBackupAsync()
    {
        await using var nodes = await OpenAsync();
        nodes.Backups = 1;
        await nodes.StartClusterAsync("n1", "n2", "n3");
        string[] keys = [.. Enumerable.Range(0, 300).Select(index => $"key-{index}")];
        await nodes.FillAsync(keys);

        using var ended = new CancellationTokenSource();
        var writing = ReviseUntilAsync(nodes, keys, ended.Token);
        var watch = Stopwatch.StartNew();
        nodes["n2"].KillAlone();
        await nodes.WaitUntilSharedAsync(2, NodeProcesses.RecoveryBound);
        Output.WriteLine($"Two copies of everything again after {watch.Elapsed.TotalSeconds:0.00} s");
        await ended.CancelAsync();
        foreach (var (key, revision) in await writing)
            Assert.InRange((await nodes.Notes.GetAsync(key))!.Revision, revision, int.MaxValue);
        Assert.All(nodes.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    /// <summary>Stops a primary for longer than the grace. The backups take over, and the node that goes on answers
    /// nothing from before.</summary>
    private protected async Task CheckPauseWithBackupAsync()
    {
        await using var nodes = await OpenAsync();
        nodes.Backups = 1;
        await nodes.StartClusterAsync("n1", "n2", "n3");
        var paused = new[] { "n1", "n2", "n3" }.First(name => name != nodes.FindCoordinatorAsync().Result);
        var keys = nodes.KeysOf(paused, KeyCount);
        await nodes.FillAsync(keys);
        nodes[paused].Pause();
        await Eventually.TrueAsync(
            () => nodes.Table.Partitions.All(entry => OwnerName(nodes, entry) != paused), NodeProcesses.RecoveryBound);
        foreach (var key in keys)
            Assert.Equal(2, await nodes.Notes.UpdateAsync(key, new Revise("while it is paused")));
        nodes[paused].Resume();
        for (var round = 0; round < 20; round++)
        {
            foreach (var key in keys)
                Assert.Equal(2, (await nodes.Notes.GetAsync(key))!.Revision);
        }

        await nodes.WaitUntilSharedAsync(3, NodeProcesses.StartBound);
        foreach (var key in keys)
            Assert.Equal(2, (await nodes.Notes.GetAsync(key))!.Revision);
        Assert.All(nodes.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    /// <summary>Starves the thread pool of a node for longer than the grace. Beacons need no thread of the pool, so the
    /// node keeps its partitions. Nothing is written meanwhile: a node that does not take entries is no backup any
    /// more.</summary>
    private protected async Task CheckStarvedPoolAsync()
    {
        await using var nodes = await OpenAsync();
        nodes.Backups = 1;
        await nodes.StartClusterAsync("n1", "n2", "n3");
        var coordinator = await nodes.FindCoordinatorAsync();
        var starved = new[] { "n1", "n2", "n3" }.First(name => name != coordinator);
        var keys = nodes.KeysOf(starved, KeyCount);
        await nodes.FillAsync(keys);
        var before = nodes.Table;
        nodes[starved].Input.WriteLine($"{PoolStarvation.Command} {Starvation.TotalSeconds:0}");
        await nodes[starved].Input.FlushAsync();
        await nodes[starved].WaitForLineAsync(line => line == PoolStarvation.Begun, NodeProcesses.StartBound);
        var watch = Stopwatch.StartNew();
        await nodes[starved].WaitForLineAsync(line => line == PoolStarvation.Over, NodeProcesses.StartBound);
        Output.WriteLine($"{starved} was starved for {watch.Elapsed.TotalSeconds:0.00} s");
        foreach (var key in keys)
            Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
        foreach (var key in keys)
            Assert.Equal(2, await nodes.Notes.UpdateAsync(key, new Revise("afterwards")));
        Assert.Equal(before.Partitions, nodes.Table.Partitions);
        Assert.Equal(before.Members, nodes.Table.Members);
    }

    private protected async Task CheckPauseAsync()
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2", "n3");
        await using var events = new EventLog(nodes.Cluster);
        var paused = new[] { "n1", "n2", "n3" }.First(name => name != nodes.FindCoordinatorAsync().Result);
        var (stuck, free) = (nodes.KeysOf(paused, KeyCount), nodes.KeysOf(await nodes.FindCoordinatorAsync(), KeyCount));
        await nodes.FillAsync([.. stuck, .. free]);
        var before = nodes.Table;

        var watch = Stopwatch.StartNew();
        nodes[paused].Pause();
        while (watch.Elapsed < Pause)
        {
            await CheckUnavailableAsync(nodes, stuck[0], paused);
            foreach (var key in free)
                Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
            Assert.Equal(before.Partitions, nodes.Table.Partitions);
        }

        Assert.DoesNotContain(events.All, happened => happened.Kind is ClusterEventKind.NodeDied or ClusterEventKind.PartitionsLost);
        nodes[paused].Resume();
        await Eventually.TrueAsync(async () => await TryGetAsync(nodes, stuck[0]), NodeProcesses.StartBound, "served again");
        foreach (var key in stuck)
            Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
        Assert.Equal(2, await nodes.Notes.UpdateAsync(stuck[0], new Revise("after the pause")));
        Assert.Equal(before.Partitions, nodes.Table.Partitions);
        Assert.All(nodes.Table.Members, member => Assert.Equal(MemberState.Active, member.State));
    }

    private protected async Task CheckRestartAsync()
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2", "n3");
        var former = nodes.Cluster.Nodes.First(member => member.Node.Name == "n2").Node;
        nodes["n2"].KillAlone();
        await nodes["n2"].WaitForExitAsync(NodeProcesses.StartBound);
        await nodes.Start("n2").WaitForLineAsync(line => line == "started", NodeProcesses.StartBound);

        // The client may still have the table in which the former incarnation of the node owned its share.
        await Eventually.TrueAsync(
            () => nodes.Cluster.Nodes.Any(member => member.Node.Name == "n2" && member.Node != former),
            NodeProcesses.StartBound);
        await nodes.WaitUntilSharedAsync(3, NodeProcesses.StartBound);
        var present = nodes.Cluster.Nodes.Where(member => member.Node.Name == "n2").ToArray();
        Assert.NotEqual(former, Assert.Single(present).Node);
        await nodes.FillAsync(nodes.KeysOf("n2", KeyCount));
    }

    /// <param name="checkStore">Checks what the store shows afterwards.</param>
    private protected async Task CheckOrderlyStopAsync(Func<NodeProcesses, Task>? checkStore = null)
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2", "n3");
        var keys = nodes.KeysOf("n3", KeyCount);
        await nodes.FillAsync(keys);
        nodes["n3"].Send(ProcessSignal.Terminate);
        Assert.Equal(0, await nodes["n3"].WaitForExitAsync(NodeProcesses.StartBound));
        await nodes.WaitUntilSharedAsync(2, NodeProcesses.RecoveryBound);
        foreach (var key in keys)
            Assert.Equal(key, (await nodes.Notes.GetAsync(key))!.Text);
        Assert.All(nodes.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
        if (checkStore is not null)
            await checkStore(nodes);
    }

    /// <summary>Kills the receiver or a sender of partitions as soon as the first handoff has begun. At whatever step
    /// that happens: all partitions get an owner again, and only the partitions that are counted as lost have lost
    /// entries.</summary>
    private protected async Task CheckKillAmidHandoffAsync(bool isReceiver)
    {
        await using var nodes = await OpenAsync();
        await nodes.StartClusterAsync("n1", "n2");
        string[] keys = [.. Enumerable.Range(0, 300).Select(index => $"key-{index}")];
        var ballast = new string('x', 30_000);
        foreach (var key in keys)
            await nodes.Notes.PutAsync(key, new Note { Text = key + ballast });
        await nodes.Start("n3").WaitForLineAsync(line => line == "started", NodeProcesses.StartBound);
        await Eventually.TrueAsync(() => IsMoving(nodes, "n3"), NodeProcesses.StartBound);
        var victim = isReceiver ? "n3" : "n1";
        nodes[victim].KillAlone();

        await Eventually.TrueAsync(
            () => nodes.Cluster.Nodes.All(member => member.Node.Name != victim), NodeProcesses.StartBound);
        await nodes.WaitUntilSharedAsync(2, NodeProcesses.StartBound);
        foreach (var key in keys)
        {
            var losses = nodes.Table[nodes.Cluster.PartitionOf(TestStates.Notes, key)].LossCount;
            var note = await nodes.Notes.GetAsync(key);
            Assert.Equal(losses == 0 ? key + ballast : null, note?.Text);
        }

        Output.WriteLine($"{nodes.Table.Partitions.Sum(entry => entry.LossCount)} partitions lost");
    }

    // Returns the newest acknowledged revision of each key.
    private static async Task<Dictionary<string, int>> ReviseUntilAsync(
        NodeProcesses nodes, string[] keys, CancellationToken ended)
    {
        var acknowledged = new Dictionary<string, int>();
        for (var number = 0; !ended.IsCancellationRequested; number++)
        {
            var key = keys[number % keys.Length];
            try
            {
                acknowledged[key] = await nodes.Notes.UpdateAsync(key, new Revise("again"), CancellationToken.None);
            }
            catch (StateOutcomeUnknownException)
            {
                // It may have happened; nothing was acknowledged.
            }
        }

        return acknowledged;
    }

    // The client may learn of a node after the node has started.
    private static bool IsMoving(NodeProcesses nodes, string target)
    {
        var slot = nodes.Table.Members.SingleOrDefault(member => member.Node.Name == target)?.Slot;
        return slot is not null
            && nodes.Table.Partitions.Any(entry => entry.Joining == slot || entry.Primary == slot);
    }

    private static string? OwnerName(NodeProcesses nodes, PartitionEntry entry) =>
        nodes.Table.FindMember(entry.Primary!.Value)?.Node.Name;

    private static async Task CheckUnavailableAsync(NodeProcesses nodes, string key, string owner)
    {
        using var deadline = GlueCall.WithDeadline(TimeSpan.FromSeconds(2));
        var unavailable = await Assert.ThrowsAsync<StateUnavailableException>(async () => await nodes.Notes.GetAsync(key));
        Assert.Contains(owner, unavailable.Message, StringComparison.Ordinal);
    }

    private static async Task<bool> TryGetAsync(NodeProcesses nodes, string key)
    {
        try
        {
            return (await nodes.Notes.GetAsync(key))?.Text == key;
        }
        catch (Exception failure) when (failure is GlueException or StateException)
        {
            return false;
        }
    }
}
