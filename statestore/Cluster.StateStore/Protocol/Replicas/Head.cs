using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Protocol.Replicas;

/// <summary>The newest state of a key, committed or not.</summary>
/// <param name="Exists">Whether there is a record.</param>
/// <param name="Version">The entry that set the value; zero without a record.</param>
/// <param name="Expiry">When the record expires, in the form of <see cref="LifeEnd"/>.</param>
internal readonly record struct Head(bool Exists, EntryId Version, long Expiry)
{
    /// <summary>The value, valid until the next call of the shard; null: it lies in the committed record.</summary>
    public ReadOnlyMemory<byte>? Value { get; init; }

    /// <summary>The newest entry of the key that is not committed; zero: there is none.</summary>
    public EntryId Uncommitted { get; init; }
}
