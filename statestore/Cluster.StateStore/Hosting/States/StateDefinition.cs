using Cluster.Slim;
using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.States;

/// <summary>One registered state: its name and types, and everything its options fixed. Immutable; equal on every node
/// of a cluster.</summary>
public abstract class StateDefinition
{
    /// <summary>The longest name, in characters.</summary>
    public const int MaxNameLength = 100;

    /// <summary>The largest value that can be allowed, in bytes.</summary>
    public const int MaxValueBytesLimit = 64 << 20;

    /// <summary>The longest key, in bytes.</summary>
    public const int MaxKeyBytes = 4_096;

    /// <summary>The most backups that a state can have.</summary>
    public const int MaxBackups = 3;

    private protected StateDefinition(
        string name,
        StateExpiry expiryDefault,
        int valueBytesMax,
        (int? Backups, int MinInSync, StateReads Reads, long NearCacheBytes) copies)
    {
        Name = name;
        (Backups, MinInSync, Reads, NearCacheBytes) = copies;
        DefaultExpiry = expiryDefault.Kind == ExpiryKind.Default ? StateExpiry.Never : expiryDefault;
        MaxValueBytes = valueBytesMax;
        Id = (uint)XxHash3.Hash(Encoding.UTF8.GetBytes(name));
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The number that stands for the name in messages and records: the low half of its XXH3-64
    /// hash.</summary>
    public uint Id { get; }

    /// <summary>The key type.</summary>
    public abstract Type KeyType { get; }

    /// <summary>The value type.</summary>
    public abstract Type ValueType { get; }

    /// <summary>When a value goes away whose write names no expiry.</summary>
    public StateExpiry DefaultExpiry { get; }

    /// <summary>The largest serialized value, in bytes.</summary>
    public int MaxValueBytes { get; }

    /// <summary>How many backups its partitions have; null: as many as the cluster says.</summary>
    public int? Backups { get; }

    /// <summary>How many nodes must have a copy, so that a write is carried out.</summary>
    public int MinInSync { get; }

    /// <summary>How new the values are that reads give.</summary>
    public StateReads Reads { get; }

    /// <summary>How much memory a process may use for values of other nodes; zero: it keeps none.</summary>
    public long NearCacheBytes { get; }

    /// <summary>A hash of the layout of all types that values consist of. Nodes with the same fingerprint read each
    /// other's values.</summary>
    internal abstract ulong LayoutFingerprint { get; }

    /// <summary>The layouts of values that this process knows.</summary>
    internal LayoutBook Layouts { get; } = new();

    /// <summary>Registers a state.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    /// <param name="name">The name, unique in the cluster.</param>
    /// <param name="configure">Sets the options.</param>
    /// <exception cref="ArgumentException">Something is wrong with name or options; the message lists
    /// everything.</exception>
    public static StateDefinition<TKey, TValue> Create<TKey, TValue>(
        string name, Action<StateOptions<TKey, TValue>>? configure = null)
        where TKey : notnull
    {
        var options = new StateOptions<TKey, TValue>();
        configure?.Invoke(options);
        return StateDefinition<TKey, TValue>.Create(name, options);
    }

    /// <inheritdoc />
    public override string ToString() => Name;

    /// <summary>The expiry of a write: the default one of the state where the write names none.</summary>
    internal StateExpiry Resolve(StateExpiry expiry) => expiry.Kind == ExpiryKind.Default ? DefaultExpiry : expiry;

    /// <summary>Rebuilds the change that a request asks for. Null: its operation is not allowed.</summary>
    internal abstract RecordChange? FindChange(
        ulong operationId, ReadOnlyMemory<byte> payload, ChangeTarget target);

    /// <summary>The refusal of a value with a layout that nobody knows.</summary>
    internal abstract StateRefusedException RefuseLayout(SlimLayoutException refusal);

    /// <summary>The failure in the reply to an operation that cannot be rebuilt.</summary>
    internal abstract StateFailure WriteFailure(Exception exception);
}
