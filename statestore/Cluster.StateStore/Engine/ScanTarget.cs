namespace Cluster.StateStore.Engine;

/// <summary>What a part of a scan reads. Immutable.</summary>
/// <param name="State">The id of the state.</param>
/// <param name="Partition">The partition.</param>
/// <param name="Cursor">Where the scan goes on; zero at its beginning.</param>
/// <param name="WithValues">Whether values are read.</param>
internal readonly record struct ScanTarget(uint State, PartitionId Partition, ulong Cursor, bool WithValues);

/// <summary>What a part of a scan has read. Immutable.</summary>
/// <param name="Payload">The records, in their form in messages.</param>
/// <param name="Cursor">Where the scan goes on; zero at its end.</param>
internal sealed record ScanPage(byte[] Payload, ulong Cursor);
