using Cluster.StateStore.Protocol.Replicas;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Protocol.Shards;

/// <summary>The answer to a read. The record is valid until the next call of the shard.</summary>
/// <param name="Outcome">Done, moved or busy.</param>
/// <param name="Exists">Whether there is a record.</param>
/// <param name="Record">The record.</param>
internal readonly record struct ReadAnswer(WriteOutcome Outcome, bool Exists, RecordImage Record);
