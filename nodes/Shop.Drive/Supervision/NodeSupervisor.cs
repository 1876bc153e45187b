namespace Shop.Drive.Supervision;

/// <summary>Starts, kills, restarts and ends the node processes by their names. A private lock protects the list of
/// nodes; each change replaces the whole list. Owned by the run; its nodes end with it.</summary>
/// <remarks>Makes a supervisor without nodes.</remarks>
/// <param name="commandOf">Returns the command that starts the node with a name.</param>
/// <param name="time">The clock that bounds the waits.</param>
internal sealed class NodeSupervisor(Func<string, ProcessStartInfo> commandOf, TimeProvider time)
    : INodeControl, IAsyncDisposable
{
    /// <summary>The maximum time that a node may take to end. After it the node is killed.</summary>
    public static readonly TimeSpan StopMax = TimeSpan.FromSeconds(4);

    /// <summary>How long a paused node stands still: longer than its leases and the grace of the others.</summary>
    public static readonly TimeSpan PauseTime = TimeSpan.FromSeconds(10);

    // In a restart in order, a node may hand everything over before it ends.
    private static readonly TimeSpan DrainMax = TimeSpan.FromSeconds(30);

    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _ended = new();
    private readonly HashSet<NodeProcess> _expected = [];
    private RollingRestart? _rolling;
    private readonly Func<string, ProcessStartInfo> _commandOf = commandOf;
    private readonly TimeProvider _time = time;
    private ImmutableArray<NodeProcess> _nodes = [];
    private bool _isStopping;
    private int _killedCount;

    /// <summary>Raised for every node that ends before the supervisor is disposed: it was killed or it
    /// crashed.</summary>
    public event Action<NodeProcess>? Died;

    /// <summary>Raised when a node is paused, and when it goes on.</summary>
    public event Action? Paused;

    /// <inheritdoc />
    public int KilledCount => Volatile.Read(ref _killedCount);

    /// <summary>The nodes in the order of their first start. An ended node stays in the list until it is
    /// restarted.</summary>
    public ImmutableArray<NodeProcess> Nodes
    {
        get
        {
            lock (_lock)
                return _nodes;
        }
    }

    /// <summary>Allows restarts of all nodes.</summary>
    /// <param name="isWhole">Whether all nodes are active and own partitions.</param>
    public void AllowRestarts(Func<bool> isWhole) => _rolling = new RollingRestart(this, isWhole, _time);

    /// <summary>How many nodes were restarted in order.</summary>
    public int RestartedCount => _rolling?.RestartedCount ?? 0;

    public void Start(string name)
    {
        lock (_lock)
        {
            ObjectDisposedException.ThrowIf(_isStopping, this);
            _nodes = _nodes.Add(NodeProcess.Start(name, _commandOf(name), OnEnd));
        }
    }

    /// <inheritdoc />
    public string? Kill(string? name)
    {
        var victim = Nodes.LastOrDefault(node => node.IsRunning && (name is null || node.Name == name));
        if (victim is null)
            return null;

        Interlocked.Increment(ref _killedCount);
        victim.Kill();
        return victim.Name;
    }

    /// <inheritdoc />
    public string? Restart(string? name)
    {
        lock (_lock)
        {
            var ended = _nodes.FirstOrDefault(node => !node.IsRunning && (name is null || node.Name == name));
            if (ended is null || _isStopping)
                return null;

            _nodes = _nodes.Replace(ended, NodeProcess.Start(ended.Name, _commandOf(ended.Name), OnEnd));
            return ended.Name;
        }
    }

    /// <inheritdoc />
    public string? Pause(string? name)
    {
        var node = Nodes.LastOrDefault(node => node.IsRunning && (name is null || node.Name == name));
        if (node is null || !ProcessPause.IsSupported)
            return null;
        ProcessPause.Stop(node.Id);
        Paused?.Invoke();
        _ = ContinueLaterAsync(node);
        return node.Name;
    }

    /// <inheritdoc />
    public bool RestartAll() =>
        _rolling is { } rolling && Nodes.All(static node => node.IsRunning) && rolling.Begin(_ended.Token);

    /// <summary>Asks a node to end, and starts it again.</summary>
    /// <returns>False: it does not run.</returns>
    public async Task<bool> RestartInOrderAsync(string name)
    {
        NodeProcess? node;
        lock (_lock)
        {
            node = _nodes.FirstOrDefault(node => node.IsRunning && node.Name == name);
            if (node is null || _isStopping)
                return false;
            _expected.Add(node);
        }

        await node.StopAsync(DrainMax, _time).ConfigureAwait(false);
        return Restart(name) is not null;
    }

    /// <summary>Asks all nodes to end, and kills those that do not. Idempotent.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_lock)
            _isStopping = true;
        await _ended.CancelAsync().ConfigureAwait(false);

        // A stopped process could not end.
        foreach (var node in Nodes.Where(static node => node.IsRunning && ProcessPause.IsSupported))
            ProcessPause.Continue(node.Id);
        await Task.WhenAll(Nodes.Select(node => node.StopAsync(StopMax, _time))).ConfigureAwait(false);
    }

    private async Task ContinueLaterAsync(NodeProcess node)
    {
        await Task.Delay(PauseTime, _time, _ended.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (node.IsRunning)
            ProcessPause.Continue(node.Id);
        Paused?.Invoke();
    }

    private void OnEnd(NodeProcess node)
    {
        bool isExpected;
        lock (_lock)
            isExpected = _isStopping || _expected.Remove(node);

        if (!isExpected)
            Died?.Invoke(node);
    }
}
