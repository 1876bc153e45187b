namespace Cluster.Testing.Linearizability.Versions;

/// <summary>An entry with its version. Immutable.</summary>
/// <param name="Value">The value; null: there is no entry.</param>
/// <param name="Version">The version, zero without an entry; null: nobody has told it yet.</param>
public readonly record struct VersionedEntry(long? Value, long? Version)
{
    /// <summary>No entry.</summary>
    public static VersionedEntry None { get; } = new(null, 0);

    /// <summary>Whether there is an entry.</summary>
    public bool Exists => Value.HasValue;

    /// <inheritdoc />
    public override string ToString() => Exists ? $"{Value} at version {(Version is { } known ? known : "unknown")}" : "";
}
