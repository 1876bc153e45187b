namespace Cluster.StateStore;

/// <summary>A value with its key and version, as a scan gives it.</summary>
/// <typeparam name="TKey">The key type of the state.</typeparam>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <param name="Key">The key.</param>
/// <param name="Value">The value, a copy of the caller's own.</param>
/// <param name="Version">Its version.</param>
public readonly record struct StateRecord<TKey, TValue>(TKey Key, TValue Value, StateVersion Version)
    where TKey : notnull;
