using Cluster.Glue.Authorization;

namespace Cluster.Glue.Sessions;

/// <summary>Where the first stream of a link came from. Immutable.</summary>
/// <param name="Address">Of the peer, for messages.</param>
/// <param name="IsPeersOnly">It came through the listener for peers.</param>
/// <param name="Caller">Who has opened it, when that is found out.</param>
internal readonly record struct LinkOrigin(string Address, bool IsPeersOnly, Task<CallerIdentity> Caller);
