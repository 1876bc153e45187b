using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.SystemTests.Host;
using Cluster.Testing;
using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Versions;
using Xunit.Abstractions;

namespace Cluster.SystemTests.Faults;

/// <summary>One run of a scenario: the cluster, its load, and the moments at which the fault began and ended. Owned by
/// the scenario, which is its only thread.</summary>
internal sealed class FaultRun : IAsyncDisposable
{
    /// <summary>How long the load runs before the fault, and after it.</summary>
    public static readonly TimeSpan Calm = TimeSpan.FromSeconds(5);

    // The checker needs few operations on each key.
    private const int KeysMin = 256;

    // An operation gives up after 10 s.
    private static readonly TimeSpan PendingBound = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan AnswerBound = TimeSpan.FromSeconds(30);

    private readonly ITestOutputHelper _output;
    private readonly ClusterTable _before;
    private double _faultAt;
    private double _healedAt;

    private FaultRun(FaultCluster cluster, ITestOutputHelper output)
    {
        (Cluster, _output, _before) = (cluster, output, cluster.Table);
        Load = new FaultLoad(cluster.Counters, FindKeys(cluster), cluster.Settings.PartitionCount);
        Tables = new TableHistory(cluster.TableView, () => Load.Now);
    }

    public FaultCluster Cluster { get; }

    public FaultLoad Load { get; }

    /// <summary>The tables since the load began.</summary>
    public TableHistory Tables { get; }

    /// <summary>What the load says. Complete after <see cref="EndAsync"/>.</summary>
    public LoadReport Report { get; private set; } = new([]);

    /// <summary>Starts the cluster and the load, and lets it run in calm.</summary>
    public static async Task<FaultRun> BeginAsync(FaultSettings settings, ITestOutputHelper output)
    {
        var cluster = await FaultCluster.StartAsync(settings, output);
        var run = new FaultRun(cluster, output);
        run.Load.Start();
        run.Tables.Start();
        await run.Load.RunForAsync(Calm);
        return run;
    }

    /// <summary>All partitions.</summary>
    public IEnumerable<int> All => Enumerable.Range(0, Cluster.Settings.PartitionCount);

    /// <summary>The partitions whose primary a node is now.</summary>
    public int[] PartitionsOf(string name)
    {
        var table = Cluster.Table;
        return [.. Enumerable.Range(0, table.Partitions.Length).Where(index => table.PrimaryOf(index) == name)];
    }

    /// <summary>The partitions that a node holds a copy of now, without those whose primary it is.</summary>
    public int[] BackupsOf(string name)
    {
        var table = Cluster.Table;
        return
        [
            .. Enumerable.Range(0, table.Partitions.Length).Where(index =>
                table.PrimaryOf(index) != name
                && table.HoldersOf(index).Contains(name)),
        ];
    }

    /// <summary>Stores further values, so that copies of partitions take some time.</summary>
    /// <param name="count">The number of values.</param>
    /// <param name="bytes">The size of each value.</param>
    public async Task FillAsync(int count = 1_000, int bytes = 50_000)
    {
        for (var number = 0; number < count; number++)
            await Cluster.Counters.PutAsync($"ballast-{number}", new Counter { Ballast = new byte[bytes] });
    }

    /// <summary>Notes that the fault begins, and tries each of the affected partitions at this moment.</summary>
    public void FaultBegins(IEnumerable<int> affected)
    {
        if (_faultAt == 0)
            _faultAt = Load.Now;
        Load.Probe(affected);
    }

    /// <summary>Notes that the fault has ended.</summary>
    public void FaultEnds() => _healedAt = Load.Now;

    /// <summary>Waits until all copies are there again, and says how long that took.</summary>
    public async Task WaitUntilRestoredAsync(TimeSpan bound)
    {
        var began = Load.Now;
        await Cluster.WaitUntilReplicatedAsync(bound);
        Write($"all copies again after {Load.Now - began:0.0} s (bound {bound.TotalSeconds:0} s)");
    }

    /// <summary>Starts a node that has ended, and waits until it has its share again.</summary>
    public async Task RestartAsync(string name, params string[] settings)
    {
        Cluster.Start(name, settings);
        await Cluster[name].WaitUntilStartedAsync(FaultCluster.StartBound);
        await Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        Write($"{name} has its share again");
    }

    /// <summary>Reads how much pile and managed memory all nodes use, in bytes.</summary>
    public async Task<long> ReadMemoryAsync()
    {
        var bytes = 0L;
        foreach (var node in Cluster.Running)
        {
            var status = await Cluster.View.GetStatusAsync(new NodeId(node.Name, node.Incarnation));
            bytes += status.PileBytes + status.ManagedBytes;
        }

        return bytes;
    }

    public void Write(string text) => _output.WriteLine(
        $"{TimeProvider.System.GetUtcNow():HH:mm:ss.fff} {Load.Now,6:0.0} {text}");

    /// <summary>Ends the load after some calm, and checks what holds in every scenario.</summary>
    public async Task EndAsync(FaultExpectations? expectations = null)
    {
        expectations ??= new FaultExpectations();
        if (_healedAt == 0)
            FaultEnds();
        await WaitUntilRestoredAsync(expectations.RestoredWithin);
        var calmAt = Load.Now;
        await Load.RunForAsync(Calm);
        var endedAt = Load.Now;
        await Load.StopAsync(PendingBound);
        await Load.ReadAllAsync();
        Report = new LoadReport(Load.Entries);
        CheckRates(expectations, calmAt, endedAt);
        CheckHistory(expectations);
        await CheckCopiesAsync();
        CheckProcesses(expectations);
        if (!expectations.MayLose)
            Assert.All(Cluster.Table.Partitions, entry => Assert.Equal(0, entry.LossCount));
    }

    /// <summary>Fails if no operation on one of the partitions was answered for longer than the bound.</summary>
    public void CheckGap(IEnumerable<int> partitions, TimeSpan bound, string what, bool isOfWrites = false)
    {
        var gap = Report.LongestGap(partitions, _faultAt - 0.5, double.MaxValue, isOfWrites);
        Write($"longest gap, {what}: {gap} (bound {bound.TotalSeconds:0.0} s)");
        Assert.True(gap.Seconds <= bound.TotalSeconds, $"{what}: no answer for {gap}, bound {bound.TotalSeconds:0.0} s");
    }

    /// <summary>Fails if a share of the operations took longer than the bound.</summary>
    public void CheckLatency(double share, TimeSpan bound)
    {
        var seconds = Report.Percentile(share, _faultAt, double.MaxValue);
        Write($"{share:P0} answered within {1000 * seconds:0} ms (bound {bound.TotalMilliseconds:0} ms)");
        Assert.InRange(seconds, 0, bound.TotalSeconds);
    }

    /// <summary>Fails if an operation that began during the fault was not answered.</summary>
    public void CheckNothingFailed()
    {
        var failures = Report.FailuresBetween(0, double.MaxValue);
        Write($"{failures} failed operations (bound 0)");
        Assert.Equal(0, failures);
    }

    /// <summary>Fails if a partition has another primary than before the fault.</summary>
    public void CheckPrimaries()
    {
        var changed = All.Count(index => Cluster.Table.Partitions[index].Primary != _before.Partitions[index].Primary);
        Write($"{changed} partitions with another primary (bound 0)");
        Assert.Equal(0, changed);
    }

    /// <summary>Fails if a partition has another epoch now than in an earlier table.</summary>
    public void CheckUnchanged(ClusterTable before, IReadOnlyCollection<int> partitions)
    {
        var now = Cluster.Table;
        var changed = partitions.Count(index => now.Partitions[index].Epoch != before.Partitions[index].Epoch);
        Write($"{changed} of {partitions.Count} partitions with another epoch (bound 0)");
        Assert.Equal(0, changed);
    }

    /// <summary>Fails if the epoch of a partition has risen by more than the bound.</summary>
    public void CheckEpochs(IEnumerable<int> partitions, int bound)
    {
        var table = Cluster.Table;
        var rises = partitions.ToDictionary(
            index => index,
            index => table.Partitions[index].Epoch.Value - _before.Partitions[index].Epoch.Value);
        var worst = rises.MaxBy(rise => rise.Value);
        Write($"at most {worst.Value} epochs in {rises.Count} partitions (bound {bound}); the table rose by "
            + $"{table.Version - _before.Version}");
        Write($"partition {worst.Key}:\n{Tables.Describe(worst.Key)}");
        Assert.InRange(worst.Value, 0, bound);
    }

    /// <summary>Ends a run whose store works again, which a node shows that joins. No operation has failed.</summary>
    /// <param name="joining">The node; it was started.</param>
    /// <param name="expectations">What the processes may have logged.</param>
    /// <param name="gapMax">The longest gap that any partition may have had.</param>
    public async Task EndWithJoinAsync(FaultNode joining, FaultExpectations expectations, TimeSpan gapMax)
    {
        await joining.WaitUntilStartedAsync(FaultCluster.StartBound);
        await Cluster.WaitUntilSharedAsync(FaultCluster.StartBound);
        await EndAsync(expectations);
        CheckNothingFailed();
        CheckGap(All, gapMax, "any partition");
    }

    public async ValueTask DisposeAsync()
    {
        await Load.DisposeAsync();
        await Tables.DisposeAsync();
        await Cluster.DisposeAsync();
    }

    private void CheckRates(FaultExpectations expectations, double calmAt, double endedAt)
    {
        Write($"answered: 99 % within {1000 * Report.Percentile(0.99, 0, double.MaxValue):0} ms; "
            + $"{Report.FailuresBetween(0, double.MaxValue)} of {Load.Entries.Count} without an answer");
        var before = Report.CheckRate(_faultAt - 4, _faultAt);
        var during = Report.CheckRate(
            _faultAt, Math.Max(_healedAt, _faultAt + 1), expectations.ServesDuringFault ? LoadReport.RateMin : 0);
        var after = Report.CheckRate(calmAt, endedAt);
        Write($"operations/s: {before:0} before, {during:0} during, {after:0} after the fault");
        Assert.Empty(Load.Unexpected);
    }

    private void CheckHistory(FaultExpectations expectations)
    {
        var history = expectations.LostPartitions.Count > 0 ? Without(expectations.LostPartitions) : Load.History;
        var verdict = LinearizabilityChecker.Check(history, VersionedModel.Instance);
        Write($"checker: {verdict.Outcome}, {history.Calls.Count} calls, {verdict.Steps:N0} steps");
        Assert.True(verdict.IsLinearizable, verdict.Explanation);
    }

    private History<string, VersionedOperation, VersionedResult> Without(IReadOnlySet<int> lost)
    {
        var lostKeys = lost.SelectMany(Load.KeysOf).ToHashSet();
        var kept = new History<string, VersionedOperation, VersionedResult>();
        foreach (var call in Load.History.Calls.Where(call => !lostKeys.Contains(call.Key)))
            kept.Add(call.Key, call.Operation, call.Result, call.Began, call.IsKnown ? call.Ended : call.Began);
        return kept;
    }

    // Copies learn of the last commits with the next frame or beacon.
    private async Task CheckCopiesAsync()
    {
        var difference = "";
        await Eventually.TrueAsync(
            async () => (difference = await FindDifferenceAsync()) is "", AnswerBound, "equal copies");
        Write("all copies are equal");
    }

    private async Task<string> FindDifferenceAsync()
    {
        var table = Cluster.Table;
        var replicas = new List<(string Node, ReplicaContent Content)>();
        foreach (var node in Cluster.Running)
            replicas.AddRange((await node.ReadReplicasAsync(AnswerBound)).Select(content => (node.Name, content)));
        if (replicas.Find(replica => replica.Content is { Phase: "Absent", Records: > 0 }) is { Node: not null } left)
            return $"{left} is left of a partition that the node does not hold";
        foreach (var copies in replicas
            .Where(replica => table.HoldersOf(replica.Content.Partition).Contains(replica.Node))
            .GroupBy(replica => replica.Content.Partition))
        {
            if (copies.Count() != table.Partitions[copies.Key].InSync.Count
                || copies.Select(copy => (copy.Content.Records, copy.Content.Digest)).Distinct().Count() != 1)
                return $"partition {copies.Key}: {string.Join("; ", copies)}";
        }

        return "";
    }

    private void CheckProcesses(FaultExpectations expectations)
    {
        string[] errors =
            [.. Cluster.Nodes.SelectMany(node => node.FindErrors()).Where(line => !expectations.MayLog(line))];
        Assert.True(errors.Length == 0, $"{errors.Length} errors in the logs:\n{string.Join('\n', errors.Take(10))}");
        foreach (var process in Cluster.Nodes.SelectMany(node => node.Processes).Where(process => process.HasExited))
            Assert.Contains(process.ExitCode, expectations.ExitCodes);
    }

    // The key at an index belongs to the partition that is the rest of a division by the number of partitions.
    private static string[] FindKeys(FaultCluster cluster)
    {
        var partitions = cluster.Settings.PartitionCount;
        var keys = new string?[Math.Max(KeysMin, partitions)];
        var counts = new int[partitions];
        for (var (number, left) = (0, keys.Length); left > 0; number++)
        {
            var key = $"key-{number}";

            // All states have the same number of backups, so there is one set of partitions.
            var partition = cluster.View.PartitionOf(TestStates.Counters, key).Value;
            var index = partition + (partitions * counts[partition]);
            if (index >= keys.Length)
                continue;
            keys[index] = key;
            counts[partition]++;
            left--;
        }

        return keys!;
    }
}
