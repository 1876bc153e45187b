namespace Cluster.Testing.Linearizability.Versions;

/// <summary>An entry with its version. Immutable.</summary>
/// <param name="Value">The value; null: there is no entry.</param>
/// <param name="Version">The version, zero without an entry; null: nobody has told it yet.</param>
/// <param name="Highest">The highest version that was told. Later ones are higher, also after a removal.</param>
public readonly record struct VersionedEntry(long? Value, long? Version, long Highest)
{
    /// <summary>No entry, and never one before.</summary>
    public static VersionedEntry None { get; } = new(null, 0, 0);

    /// <summary>Whether there is an entry.</summary>
    public bool Exists => Value.HasValue;

    /// <inheritdoc />
    public override string ToString() => Exists ? $"{Value} at version {(Version is { } known ? known : "unknown")}" : "";
}
