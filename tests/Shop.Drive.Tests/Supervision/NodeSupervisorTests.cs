using Cluster.Testing;
using Shop.Drive.Supervision;

namespace Shop.Drive.Tests.Supervision;

public sealed class NodeSupervisorTests : IAsyncDisposable
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    private readonly ConcurrentQueue<string> _deaths = [];
    private readonly ManualTimeProvider _time = new();
    private readonly NodeSupervisor _supervisor;

    public NodeSupervisorTests()
    {
        // Like a node, cat ends when its standard input is closed. A process named "deaf" does not.
        _supervisor = new NodeSupervisor(
            name => name.StartsWith("deaf", StringComparison.Ordinal)
                ? new ProcessStartInfo("sleep", ["600"])
                : name.StartsWith("failing", StringComparison.Ordinal)
                    ? new ProcessStartInfo("sh", ["-c", "echo no room >&2; exit 73"])
                    : new ProcessStartInfo("cat"),
            _time);
        _supervisor.Died += node => _deaths.Enqueue(node.Name);
    }

    public ValueTask DisposeAsync() => _supervisor.DisposeAsync();

    [RequiresUnixFact]
    public async Task Kill_NoName_KillsTheLastThatRunsAndTells()
    {
        StartAll("n1", "n2", "n3");

        Assert.Equal("n3", _supervisor.Kill(null));
        await Eventually.TrueAsync(() => _deaths.Contains("n3"), Bound);
        Assert.Equal("n2", _supervisor.Kill(null));
        await Eventually.TrueAsync(() => _deaths.Contains("n2"), Bound);

        Assert.Equal(2, _supervisor.KilledCount);
        Assert.Equal([true, false, false], _supervisor.Nodes.Select(node => node.IsRunning));
    }

    [RequiresUnixFact]
    public async Task Kill_NodeThatDoesNotRun_DoesNothing()
    {
        StartAll("n1");
        Assert.Null(_supervisor.Kill("n7"));
        Assert.Equal("n1", _supervisor.Kill("n1"));
        await Eventually.TrueAsync(() => !_deaths.IsEmpty, Bound);

        Assert.Null(_supervisor.Kill("n1"));
        Assert.Null(_supervisor.Kill(null));
        Assert.Equal(1, _supervisor.KilledCount);
    }

    [RequiresUnixFact]
    public async Task Restart_KilledNode_RunsAgainInItsPlace()
    {
        StartAll("n1", "n2");
        Assert.Null(_supervisor.Restart(null));
        var before = _supervisor.Nodes[0].Id;
        _supervisor.Kill("n1");
        await Eventually.TrueAsync(() => !_deaths.IsEmpty, Bound);

        Assert.Equal("n1", _supervisor.Restart(null));

        Assert.Equal(["n1", "n2"], _supervisor.Nodes.Select(node => node.Name));
        Assert.True(_supervisor.Nodes[0].IsRunning);
        Assert.NotEqual(before, _supervisor.Nodes[0].Id);
    }

    [RequiresFileFact("/proc/self/stat")]
    [Trait("Case", "shop-keys")]
    public async Task Pause_RunningNode_StandsStillForAWhileAndGoesOn()
    {
        StartAll("n1", "n2");
        Assert.Null(_supervisor.Pause("n7"));
        Assert.Equal("n2", _supervisor.Pause(null));
        await Eventually.TrueAsync(() => IsStopped(_supervisor.Nodes[1]), Bound);
        Assert.False(IsStopped(_supervisor.Nodes[0]));
        _time.Advance(NodeSupervisor.PauseTime);
        await Eventually.TrueAsync(() => !IsStopped(_supervisor.Nodes[1]), Bound);
        Assert.Empty(_deaths);
    }

    [RequiresFileFact("/proc/self/stat")]
    public async Task DisposeAsync_PausedNode_EndsAllTheSame()
    {
        StartAll("n1");
        Assert.Equal("n1", _supervisor.Pause("n1"));
        await _supervisor.DisposeAsync().AsTask().WaitAsync(Bound);
        Assert.Equal(0, Assert.Single(_supervisor.Nodes).ExitCode);
    }

    [RequiresUnixFact]
    [Trait("Case", "shop-keys")]
    public async Task RestartAll_StartsEachNodeAnewAndTellsNobodyOfADeath()
    {
        StartAll("n1", "n2", "n3");
        Assert.False(_supervisor.RestartAll());
        var isWhole = false;
        _supervisor.AllowRestarts(() => Volatile.Read(ref isWhole));
        var before = _supervisor.Nodes.Select(node => node.Id).ToArray();
        Assert.True(_supervisor.RestartAll());
        Assert.False(_supervisor.RestartAll());
        Assert.Equal(before, _supervisor.Nodes.Select(node => node.Id));
        Volatile.Write(ref isWhole, true);
        await Eventually.TrueAsync(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(100));
                return _supervisor.RestartedCount == 3;
            },
            Bound);
        Assert.Equal(["n1", "n2", "n3"], _supervisor.Nodes.Select(node => node.Name));
        Assert.Empty(before.Intersect(_supervisor.Nodes.Select(node => node.Id)));
        Assert.Empty(_deaths);
    }

    [RequiresUnixFact]
    public async Task DisposeAsync_ListeningAndDeafNodes_EndsAllAndTellsNobody()
    {
        StartAll("n1", "deaf");
        var nodes = _supervisor.Nodes;

        var stopping = _supervisor.DisposeAsync().AsTask();
        await Eventually.TrueAsync(() => !nodes[0].IsRunning, Bound);
        Assert.False(stopping.IsCompleted);
        _time.Advance(NodeSupervisor.StopMax);
        await stopping.WaitAsync(Bound);
        await _supervisor.DisposeAsync();

        Assert.All(nodes, node => Assert.False(node.IsRunning));
        Assert.Equal(0, nodes[0].ExitCode);
        Assert.Empty(_deaths);
        Assert.Null(_supervisor.Restart(null));
        Assert.Throws<ObjectDisposedException>(() => _supervisor.Start("late"));
    }

    [RequiresUnixFact]
    public async Task Nodes_OneThatFails_KeepsWhatItSaidAndItsExitCode()
    {
        StartAll("failing");
        await Eventually.TrueAsync(() => !_deaths.IsEmpty, Bound);

        var node = Assert.Single(_supervisor.Nodes);
        await node.WaitForEndAsync(CancellationToken.None);

        Assert.Equal(73, node.ExitCode);
        Assert.Equal(["no room"], node.Lines);
    }

    /// <summary>Each process has a handle and three pipes. A run that restarts nodes must not collect them.</summary>
    [RequiresUnixFact]
    public async Task Restart_KilledNode_ReleasesWhatTheEndedProcessHeld()
    {
        StartAll("n1");
        var killed = Assert.Single(_supervisor.Nodes);
        Assert.False(killed.IsReleased);
        _supervisor.Kill("n1");
        await Eventually.TrueAsync(() => !_deaths.IsEmpty, Bound);
        Assert.Equal("n1", _supervisor.Restart("n1"));

        await killed.WaitForEndAsync(CancellationToken.None).WaitAsync(Bound);

        Assert.True(killed.IsReleased);
        Assert.False(killed.IsRunning);
        Assert.NotEqual(0, killed.ExitCode);
        killed.Kill();
        await killed.StopAsync(Bound, TimeProvider.System);
        Assert.True(Assert.Single(_supervisor.Nodes).IsRunning);
    }

    // The state follows the name in parentheses: T is stopped.
    private static bool IsStopped(NodeProcess node)
    {
        var line = File.ReadAllText($"/proc/{node.Id}/stat");
        return line[line.LastIndexOf(')') + 2] == 'T';
    }

    private void StartAll(params string[] names)
    {
        foreach (var name in names)
            _supervisor.Start(name);
    }
}
