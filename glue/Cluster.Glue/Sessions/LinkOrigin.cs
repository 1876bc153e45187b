using Cluster.Glue.Authorization;

namespace Cluster.Glue.Sessions;

/// <summary>Where the first stream of a link came from. Immutable.</summary>
/// <param name="Address">The address of the peer, for messages.</param>
/// <param name="IsPeersOnly">Whether the stream came through the listener for peers.</param>
/// <param name="Caller">The identity of the opener; completes when authentication is done.</param>
internal readonly record struct LinkOrigin(string Address, bool IsPeersOnly, Task<CallerIdentity> Caller);
