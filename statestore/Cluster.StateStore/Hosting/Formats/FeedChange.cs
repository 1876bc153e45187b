using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Hosting.Formats;

/// <summary>One change of a record, as a reply to a watch bears it. Immutable.</summary>
/// <param name="Index">The number of the partition within its set.</param>
/// <param name="Kind">Put, remove or expire.</param>
/// <param name="Version">The version of the change.</param>
/// <param name="Key">The key.</param>
/// <param name="Value">The new value; empty where values were not asked for.</param>
internal readonly record struct FeedChange(
    int Index, EntryKind Kind, long Version, ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> Value);
