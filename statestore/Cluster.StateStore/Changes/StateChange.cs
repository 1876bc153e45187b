namespace Cluster.StateStore.Changes;

/// <summary>One change in a state. Immutable.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
/// <param name="Kind">What has happened.</param>
/// <param name="Partition">The partition.</param>
/// <param name="Key">The key; the default for <see cref="StateChangeKind.Began"/>.</param>
/// <param name="Value">The new value, for <see cref="StateChangeKind.Stored"/>; else the default.</param>
/// <param name="Version">The version of the change. Versions of a key rise; there is none for
/// <see cref="StateChangeKind.Began"/>.</param>
public readonly record struct StateChange<TKey, TValue>(
    StateChangeKind Kind, PartitionId Partition, TKey? Key, TValue? Value, StateVersion Version);
