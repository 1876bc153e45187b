namespace Cluster.StateStore.Protocol.Storage;

/// <summary>The remembered answers of one client, as a copy carries them. Immutable.</summary>
/// <param name="Client">The incarnation of the client.</param>
/// <param name="LowWater">Requests below this number are forgotten.</param>
/// <param name="Time">The partition time of the client's last write.</param>
/// <param name="Answers">The answers by request number.</param>
internal sealed record RequestImage(
    Guid Client, long LowWater, long Time, ImmutableArray<(long Sequence, ReadOnlyMemory<byte> Answer)> Answers);
