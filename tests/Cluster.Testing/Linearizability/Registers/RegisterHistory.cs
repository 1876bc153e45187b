namespace Cluster.Testing.Linearizability.Registers;

/// <summary>A history of registers. Thread-safe.</summary>
/// <typeparam name="TKey">The type of the registers' keys.</typeparam>
public sealed class RegisterHistory<TKey> : History<TKey, RegisterOperation, RegisterResult>
    where TKey : notnull;
