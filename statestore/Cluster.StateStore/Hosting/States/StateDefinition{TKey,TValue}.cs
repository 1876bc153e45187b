using Cluster.Pile;
using Cluster.Slim;
using Cluster.Slim.Hosting;
using Cluster.StateStore.Hosting.Layouts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Messages;

namespace Cluster.StateStore.Hosting.States;

/// <summary>One registered state with its types. Immutable.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
public sealed class StateDefinition<TKey, TValue> : StateDefinition
    where TKey : notnull
{
    private readonly KeyEncoder<TKey> _keys;
    private readonly OperationSet<TValue> _operations;

    private StateDefinition(
        string name, StateOptions<TKey, TValue> options, KeyEncoder<TKey> keys, OperationSet<TValue> operations)
        : base(
            name,
            options.DefaultExpiry,
            options.MaxValueBytes,
            (options.Backups, options.MinInSync, options.Reads, options.NearCacheBytes))
    {
        _keys = keys;
        _operations = operations;
        var failures = new FailureCodec(options.TypeConfigurations);
        Format = new ValueFormat<TValue>(name, CreateSerializer(options, Layouts), failures, options.MaxValueBytes);
    }

    /// <inheritdoc />
    public override Type KeyType => typeof(TKey);

    /// <inheritdoc />
    public override Type ValueType => typeof(TValue);

    internal ValueFormat<TValue> Format { get; }

    internal override ulong LayoutFingerprint => SlimLayouts.FingerprintOf(Format.Serializer, typeof(TValue));

    internal static StateDefinition<TKey, TValue> Create(string name, StateOptions<TKey, TValue> options)
    {
        var problems = new List<string>();
        if (string.IsNullOrWhiteSpace(name) || name.Length > MaxNameLength)
            problems.Add($"the name must have 1 to {MaxNameLength} characters");
        if (options.MaxValueBytes is < 1 or > MaxValueBytesLimit)
            problems.Add($"MaxValueBytes is {options.MaxValueBytes}; it must be from 1 to {MaxValueBytesLimit}");
        if (options.Backups is < 0 or > MaxBackups)
            problems.Add($"Backups is {options.Backups}; it must be from 0 to {MaxBackups}");
        if (options.MinInSync < 1 || options.MinInSync > (options.Backups ?? MaxBackups) + 1)
        {
            problems.Add(
                $"MinInSync is {options.MinInSync}; it must be from 1 to {(options.Backups ?? MaxBackups) + 1}, which "
                + "is Backups and the owner");
        }

        if (options.NearCacheBytes is not 0 and (< PileOptions.MinBudgetBytes or > PileOptions.MaxBudgetBytes))
        {
            problems.Add(
                $"NearCacheBytes is {options.NearCacheBytes}; it must be 0 or from {PileOptions.MinBudgetBytes} to "
                + $"{PileOptions.MaxBudgetBytes}");
        }

        if (options.NearCacheBytes > 0 && options.Reads.IsStrict)
            problems.Add("NearCacheBytes is set, and its values may be old, but Reads is Strict; choose one of both");
        var keys = KeyEncoder<TKey>.Find(options.KeyCodec, out var remedy);
        if (remedy is not null)
            problems.Add(remedy);
        var operations = OperationSet<TValue>.Create(options.Operations, problems);
        if (problems.Count == 0)
            return new StateDefinition<TKey, TValue>(name, options, keys!, operations);
        throw new ArgumentException($"State '{name}': {string.Join("; ", problems)}.", nameof(name));
    }

    /// <summary>The canonical bytes of a key, with its hash.</summary>
    internal HashedKey KeyOf(TKey key, PartitionHash hash)
    {
        if (_keys.ToBytes(key) is not { Length: <= MaxKeyBytes } bytes)
        {
            throw new StateRefusedException(
                $"State '{Name}': the key has more than {MaxKeyBytes} bytes. Use a shorter key.");
        }

        return new HashedKey(Id, hash.Hash(bytes), bytes);
    }

    internal TKey KeyFrom(ReadOnlySpan<byte> bytes) => _keys.FromBytes(bytes);

    internal OperationBinding<TValue> BindingOf(object operation)
    {
        var type = operation.GetType();
        return _operations.Find(type) ?? throw new StateRefusedException(
            $"State '{Name}': operation {type.FullName} is not registered; add s.AllowOperation<{type.Name}>() to the "
            + "registration of the state on every node.");
    }

    internal override RecordChange? FindChange(
        ulong operationId, ReadOnlyMemory<byte> payload, ChangeTarget target) =>
        _operations.Find(operationId)?.Deserialize(Format, payload, target);

    internal override StateFailure WriteFailure(Exception exception) => Format.Failures.Write(exception);

    internal override StateRefusedException RefuseLayout(SlimLayoutException refusal) => Format.RefuseLayout(refusal);

    private static SlimSerializer CreateSerializer(StateOptions<TKey, TValue> options, LayoutBook layouts)
    {
        var types = new SlimOptions { Schema = SlimSchema.Known };
        foreach (var configure in options.TypeConfigurations)
            configure(types);
        return new SlimSerializer(types.UseKnownLayouts(layouts));
    }
}
