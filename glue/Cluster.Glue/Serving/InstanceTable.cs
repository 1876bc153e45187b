using Cluster.Glue.Faults;
using Cluster.Glue.Scheduling;
using Cluster.Glue.Settings;

namespace Cluster.Glue.Serving;

/// <summary>The instances of one stateful service by their ids, until they end or were idle for too long. A concurrent
/// dictionary; each instance protects itself. Only the thread that removes an instance disposes it.</summary>
internal sealed class InstanceTable(ServiceRegistration registration, string contract, ServerSettings settings)
    : IAsyncDisposable
{
    private readonly ConcurrentDictionary<Guid, StatefulInstance> _instances = new();
    private readonly Lock _gate = new();

    private ITimer? _sweeper;
    private bool _isDisposed;

    public ServerSettings Settings => settings;

    public Type Implementation => registration.Implementation;

    /// <summary>Whether an instance takes any number of calls at once.</summary>
    public bool IsThreadSafe { get; } =
        registration.Implementation.IsDefined(typeof(ThreadSafeAttribute), inherit: false);

    /// <summary>Whether an instance takes a call that belongs to the chain of the running call.</summary>
    public bool IsReentrant { get; } =
        !registration.Implementation.IsDefined(typeof(NonReentrantAttribute), inherit: false);

    /// <summary>Puts an arrived call into the line of its instance, or fails it.</summary>
    public void Enter(IncomingCall call)
    {
        try
        {
            while (!InstanceOf(call).TryEnter(call))
            {
                // The instance ended between the look-up and the entry. The next look-up finds another instance, or
                // none.
            }
        }
        catch (GlueException refusal)
        {
            call.Refuse(refusal);
        }
    }

    /// <summary>Makes an instance whose constructor has run visible to other calls.</summary>
    public GlueInstance Publish(StatefulInstance instance)
    {
        _instances[instance.Id] = instance;
        return new GlueInstance(settings.Node.Incarnation, instance.Id);
    }

    public void Remove(StatefulInstance instance) =>
        _instances.TryRemove(KeyValuePair.Create(instance.Id, instance));

    public GlueException LockTimeout(IncomingCall call) => GlueErrors.NotDelivered(
        GlueErrorKind.Overloaded,
        GlueErrorCode.InstanceLockTimeout,
        $"{call.MethodName} waited for earlier calls to the same instance for {settings.InstanceLockTimeout} "
        + "(InstanceLockTimeout); declare the service [ThreadSafe] if its calls may run at once.");

    /// <summary>Ends all instances, without waiting for calls that run in them.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _sweeper?.Dispose();
        }

        foreach (var instance in _instances.Values)
            await instance.EndAsync().ConfigureAwait(false);
    }

    private StatefulInstance InstanceOf(IncomingCall call)
    {
        WatchIdle();
        if (call.IsConstructor)
            return New(Guid.NewGuid());
        var target = call.Target;
        var isHere = target.Incarnation == Guid.Empty || target.Incarnation == settings.Node.Incarnation;
        if (isHere && Find(target.Id) is { } found)
            return found;
        return registration.Mode == GlueInstanceMode.AutoConstructed && isHere
            ? _instances.GetOrAdd(target.Id, New)
            : throw NoSuchInstance(call, target, isHere);
    }

    private StatefulInstance? Find(Guid id)
    {
        if (!_instances.TryGetValue(id, out var found))
            return null;
        if (!found.TryExpire())
            return found;
        _ = found.EndAsync().AsTask();
        return null;
    }

    private StatefulInstance New(Guid id) =>
        _instances.Count < settings.MaxInstances
            ? new StatefulInstance(this, id)
            : throw GlueErrors.NotDelivered(
                GlueErrorKind.Overloaded,
                GlueErrorCode.InstancesLimit,
                $"This server has {settings.MaxInstances} instances of {contract} (MaxInstances); no other was made.");

    private GlueException NoSuchInstance(IncomingCall call, GlueInstance target, bool isHere)
    {
        var reason = !isHere ? "its handle is of another process, or of this one before it was started anew"
            : target == default ? "the proxy has no handle: call the [Constructor] method, then use proxy.At(handle)"
            : $"it has ended, or nobody called it for {settings.InstanceIdleTimeout} (InstanceIdleTimeout)";
        return GlueErrors.NotDelivered(
            GlueErrorKind.Refused,
            GlueErrorCode.NoSuchInstance,
            $"{call.MethodName} was called on an instance that is not here: {reason}.");
    }

    private void WatchIdle()
    {
        if (Volatile.Read(ref _sweeper) is not null)
            return;
        lock (_gate)
        {
            if (_sweeper is not null || _isDisposed)
                return;
            // A look-up notices itself that the idle time of an instance is over. The sweep only frees memory, and may
            // be late.
            var period = settings.InstanceIdleTimeout / 2;
            _sweeper = Detached.Run((table: this, period), static state => state.table.Settings.Time.CreateTimer(
                static table => ((InstanceTable)table!).Sweep(), state.table, state.period, state.period));
        }
    }

    private void Sweep()
    {
        foreach (var instance in _instances.Values)
        {
            if (instance.TryExpire())
                _ = instance.EndAsync().AsTask();
        }
    }
}
