using System.Collections.Frozen;
using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;
using Cluster.StateStore.Hosting.States;

namespace Cluster.Nodes.Storage.Settings;

/// <summary>What the options of one stored state said, checked. Immutable.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
internal sealed class StoredStateSettings<TKey, TValue>
    where TKey : notnull
{
    // What a record has beside its value: revision, lineage, two flags, and the marks of the object around them.
    private const int RecordBytes = 96;

    private static readonly TimeSpan MinKeepInMemory = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan MaxKeepInMemory = TimeSpan.FromDays(34 * 365);
    private static readonly TimeSpan MaxWriteDelay = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan MinStorageTimeout = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan MaxStorageTimeout = TimeSpan.FromSeconds(25);

    private readonly StoredStateOptions<TKey, TValue> _options;
    private readonly FrozenDictionary<Type, object> _operations;

    private StoredStateSettings(
        string name, StoredStateOptions<TKey, TValue> options, IReadOnlyDictionary<Type, Type> operations)
    {
        Name = name;
        Keys = options.CreateFormat();
        (Writes, WriteDelay, StorageTimeout) = (options.Writes, options.WriteDelay, options.StorageTimeout);
        (Parallelism, MaxWaitingKeys) = (options.Parallelism, options.MaxWaitingKeys);
        KeepInMemory = options.KeepInMemory;
        _options = options;
        _operations = operations.ToFrozenDictionary(
            found => found.Key,
            found => Activator.CreateInstance(typeof(TypedOperationWrapper<,,>)
                .MakeGenericType(found.Key, typeof(TValue), found.Value))!);
    }

    public string Name { get; }

    /// <summary>The form of keys as bytes.</summary>
    public StorageFormat<TKey, TValue> Keys { get; }

    public StorageWrites Writes { get; }

    public TimeSpan WriteDelay { get; }

    public TimeSpan StorageTimeout { get; }

    public int Parallelism { get; }

    public int MaxWaitingKeys { get; }

    public TimeSpan? KeepInMemory { get; }

    /// <summary>Reads and checks the options.</summary>
    /// <exception cref="ArgumentException">Something is wrong with them; the message lists everything.</exception>
    public static StoredStateSettings<TKey, TValue> Read(string name, StoredStateOptions<TKey, TValue> options)
    {
        var problems = new List<string>();
        if (options.Storage is null)
            problems.Add("Storage is not set; call UseFiles, or set Storage to a factory of yours");
        if (!Enum.IsDefined(options.Writes))
            problems.Add($"Writes is {(int)options.Writes}; it must be Through or Behind");
        problems.AddRange(FindRangeProblems(options));
        _ = KeyEncoder.Find(options.KeyCodec, out var remedy);
        if (remedy is not null)
            problems.Add(remedy);
        var operations = OperationTypes.Find<TValue>(options.Operations, problems);
        if (problems.Count == 0)
            return new StoredStateSettings<TKey, TValue>(name, options, operations);
        throw new ArgumentException($"Stored state '{name}': {string.Join("; ", problems)}.", nameof(options));
    }

    /// <summary>Sets the options of the state that keeps the records in memory.</summary>
    public void Configure(StateOptions<TKey, Stored<TValue>> state)
    {
        state.DefaultExpiry = KeepInMemory is { } window ? StateExpiry.Sliding(window) : StateExpiry.Never;
        state.Backups = _options.Backups;
        state.MinInSync = _options.MinInSync;
        state.MaxValueBytes = Math.Min(_options.MaxValueBytes + RecordBytes, StateDefinition.MaxValueBytesLimit);
        state.Reads = _options.Reads;
        state.NearCacheBytes = _options.NearCacheBytes;
        state.KeyCodec = _options.KeyCodec;
        foreach (var configure in _options.TypeConfigurations)
            state.ConfigureTypes(configure);
        state.AllowOperation<PutValue<TValue>>()
            .AllowOperation<PutIfRevision<TValue>>()
            .AllowOperation<RemoveValue<TValue>>()
            .AllowOperation<MarkStored<TValue>>()
            .AllowOperation<RaiseRevision<TValue>>()
            .AllowOperation<TakeFromStorage<TValue>>()
            .AllowOperation<DropMarker<TValue>>();
        foreach (var wrapper in _operations.Values)
            state.AllowOperation(((IOperationWrapper)wrapper).StoredType);
    }

    /// <summary>The wrapper of an operation.</summary>
    /// <exception cref="StateRefusedException">Its type is not allowed.</exception>
    public OperationWrapper<TValue, TResult> WrapperOf<TResult>(IStateOperation<TValue, TResult> operation) =>
        _operations.TryGetValue(operation.GetType(), out var known)
            ? (OperationWrapper<TValue, TResult>)known
            : throw new StateRefusedException(
                $"State '{Name}': operation {operation.GetType().FullName} is not registered; add "
                + $"s.AllowOperation<{operation.GetType().Name}>() to the registration of the state on every node.");

    private static IEnumerable<string> FindRangeProblems(StoredStateOptions<TKey, TValue> options)
    {
        if (options.WriteDelay < TimeSpan.Zero || options.WriteDelay > MaxWriteDelay)
            yield return $"WriteDelay is {options.WriteDelay}; it must be from zero to {MaxWriteDelay}";
        if (options.Parallelism is < 1 or > 1_024)
            yield return $"Parallelism is {options.Parallelism}; it must be from 1 to 1024";
        if (options.MaxWaitingKeys is < 1 or > 10_000_000)
            yield return $"MaxWaitingKeys is {options.MaxWaitingKeys}; it must be from 1 to 10000000";
        if (options.StorageTimeout < MinStorageTimeout || options.StorageTimeout > MaxStorageTimeout)
        {
            yield return $"StorageTimeout is {options.StorageTimeout}; it must be from {MinStorageTimeout} to "
                + $"{MaxStorageTimeout}";
        }

        if (options.KeepInMemory < MinKeepInMemory || options.KeepInMemory > MaxKeepInMemory)
        {
            yield return $"KeepInMemory is {options.KeepInMemory}; it must be null, or from {MinKeepInMemory} to "
                + $"{MaxKeepInMemory}";
        }
    }
}
