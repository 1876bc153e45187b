namespace Cluster.Nodes.Storage;

/// <summary>What a storage keeps for one key: a value or a removal, with its revision. Immutable.
/// <see cref="StorageRecord"/> makes removals.</summary>
/// <typeparam name="TValue">The value type of the state.</typeparam>
/// <param name="value">The value.</param>
/// <param name="revision">Its revision.</param>
public sealed class StorageRecord<TValue>(TValue value, long revision)
{
    /// <summary>The value; the default of its type for a removal.</summary>
    public TValue? Value { get; } = value;

    /// <summary>Whether the value was removed.</summary>
    public bool IsRemoved { get; internal init; }

    /// <summary>Numbers the writes of the key. Each write has a greater number than all earlier ones, also after a
    /// removal. It is the version of the value in the state.</summary>
    public long Revision { get; } = revision;
}
