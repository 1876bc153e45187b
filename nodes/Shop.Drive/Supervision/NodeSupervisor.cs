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

    private readonly Lock _lock = new();
    private readonly Func<string, ProcessStartInfo> _commandOf = commandOf;
    private readonly TimeProvider _time = time;
    private ImmutableArray<NodeProcess> _nodes = [];
    private bool _isStopping;
    private int _killedCount;

    /// <summary>Raised for every node that ends before the supervisor is disposed: it was killed or it
    /// crashed.</summary>
    public event Action<NodeProcess>? Died;

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

    /// <summary>Asks all nodes to end, and kills those that do not. Idempotent.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_lock)
            _isStopping = true;

        await Task.WhenAll(Nodes.Select(node => node.StopAsync(StopMax, _time))).ConfigureAwait(false);
    }

    private void OnEnd(NodeProcess node)
    {
        bool isExpected;
        lock (_lock)
            isExpected = _isStopping;

        if (!isExpected)
            Died?.Invoke(node);
    }
}
