using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Glue.Serving;

/// <summary>One object of a stateful service, its DI scope, and the line of calls that wait for it. Calls run one at a
/// time, in the order of their arrival, unless the service is thread-safe or the running call waits for the new one
/// (one chain). A lock protects the state; the first call that runs creates the object.</summary>
internal sealed class StatefulInstance(InstanceTable table, Guid id)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<WaitingCall> _waiting = new();
    private readonly List<IncomingCall> _inside = [];
    private Lazy<object>? _service;
    private AsyncServiceScope? _scope;
    private long _idleSince = table.Settings.Time.GetTimestamp();
    private bool _isClosed;
    private bool _isEnding;

    public Guid Id => id;

    /// <summary>A call in the line. The timer may fire when the pooled call object is already reused for another
    /// call.</summary>
    private sealed class WaitingCall(StatefulInstance instance, IncomingCall call)
    {
        public IncomingCall Call => call;

        public ITimer? Timer { get; set; }

        public void GiveUp() => instance.GiveUp(this);
    }

    /// <summary>Starts the call, or puts it into the line. False: the instance has ended.</summary>
    public bool TryEnter(IncomingCall call)
    {
        lock (_gate)
        {
            if (_isClosed)
                return false;
            call.SetInstance(this);
            if (_inside.Count > 0 && !table.IsThreadSafe && !IsAwaitedNeedsLock(call))
            {
                var waiting = new WaitingCall(this, call);
                _waiting.AddLast(waiting);
                waiting.Timer = table.Settings.Time.CreateTimer(
                    static w => ((WaitingCall)w!).GiveUp(),
                    waiting,
                    table.Settings.InstanceLockTimeout,
                    Timeout.InfiniteTimeSpan);
                return true;
            }

            _inside.Add(call);
        }

        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: false);
        return true;
    }

    /// <summary>The provider of the object's dependencies; null: the object does not exist yet.</summary>
    public IServiceProvider? Services
    {
        get
        {
            lock (_gate)
                return _scope?.ServiceProvider;
        }
    }

    /// <summary>The object. The first call creates it.</summary>
    public object Open(IServiceProvider root)
    {
        Lazy<object> service;
        lock (_gate)
            service = _service ??= new Lazy<object>(() => Create(root));
        return service.Value;
    }

    public GlueInstance Publish() => table.Publish(this);

    /// <summary>Notes the end of a call: the next call in the line starts.</summary>
    public void Leave(IncomingCall call)
    {
        WaitingCall? next = null;
        lock (_gate)
        {
            _inside.Remove(call);
            _idleSince = table.Settings.Time.GetTimestamp();
            if (_inside.Count == 0 && _waiting.First is { } first)
            {
                next = first.Value;
                _waiting.Remove(first);
                _inside.Add(next.Call);
            }
        }

        if (next is null)
            return;
        next.Timer?.Dispose();
        ThreadPool.UnsafeQueueUserWorkItem(next.Call, preferLocal: false);
    }

    /// <summary>True once, when the instance had no calls for the idle time; the caller must then end it.</summary>
    public bool TryExpire()
    {
        lock (_gate)
        {
            if (_isClosed || _inside.Count > 0)
                return false;
            _isClosed = table.Settings.Time.GetElapsedTime(_idleSince) >= table.Settings.InstanceIdleTimeout;
            return _isClosed;
        }
    }

    /// <summary>Removes the instance from the table, sends the waiting calls back to the table, and disposes the
    /// object. Idempotent.</summary>
    public async ValueTask EndAsync()
    {
        WaitingCall[] sentAway;
        AsyncServiceScope? scope;
        lock (_gate)
        {
            if (_isEnding)
                return;
            _isClosed = true;
            _isEnding = true;
            sentAway = [.. _waiting];
            _waiting.Clear();
            scope = _scope;
        }

        table.Remove(this);
        foreach (var waiting in sentAway)
        {
            waiting.Timer?.Dispose();
            // The waiting calls look the instance up again. They find none, or a new one if the service is
            // auto-constructed.
            waiting.Call.SetInstance(null);
            table.Enter(waiting.Call);
        }

        if (scope is { } open)
            await open.DisposeAsync().ConfigureAwait(false);
    }

    // A running call of the same chain waits for this call.
    private bool IsAwaitedNeedsLock(IncomingCall call)
    {
        if (!table.IsReentrant || call.Context.Chain is not { } chain)
            return false;
        foreach (var inside in _inside)
        {
            if (inside.Context.Chain?.Id == chain.Id)
                return true;
        }

        return false;
    }

    private object Create(IServiceProvider root)
    {
        var scope = root.CreateAsyncScope();
        lock (_gate)
            _scope = scope;
        return scope.ServiceProvider.GetRequiredService(table.Implementation);
    }

    private void GiveUp(WaitingCall waiting)
    {
        lock (_gate)
        {
            if (!_waiting.Remove(waiting))
                return;
        }

        waiting.Timer?.Dispose();
        waiting.Call.SetInstance(null);
        waiting.Call.Refuse(table.LockTimeout(waiting.Call));
    }
}
