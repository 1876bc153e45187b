namespace Cluster.Nodes.Consul.Messages;

/// <summary>A session to be made: it holds a lock as long as its checks are healthy. Immutable.</summary>
/// <param name="Name">What operators see.</param>
/// <param name="LockDelay">How long a lock that was lost stays locked, in Consul's notation.</param>
/// <param name="Behavior">What happens to the locked key: <c>release</c>.</param>
/// <param name="NodeChecks">Checks of the agent's machine.</param>
/// <param name="ServiceChecks">Checks of services.</param>
internal sealed record SessionRequest(
    string Name, string LockDelay, string Behavior, string[] NodeChecks, SessionServiceCheck[] ServiceChecks);
