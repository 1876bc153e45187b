namespace Cluster.StateStore.Protocol.Basics;

/// <summary>One moment as a node sees it.</summary>
/// <param name="Ticks">The monotonic clock, in units of 100 ns. Leases and time-outs count with it.</param>
/// <param name="Utc">The wall clock, in ticks of UTC. Only expiry counts with it, never safety.</param>
internal readonly record struct Moment(long Ticks, long Utc);
