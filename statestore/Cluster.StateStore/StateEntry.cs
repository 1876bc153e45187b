namespace Cluster.StateStore;

/// <summary>A value as it was read, with the version to name in a conditional write.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <param name="Value">The value, a copy of the caller's own.</param>
/// <param name="Version">Its version.</param>
public readonly record struct StateEntry<TValue>(TValue Value, StateVersion Version);
