namespace Cluster.Nodes.Liveness;

/// <summary>Where the connections of this process to liveness endpoints go instead. Only tests have one: they put a
/// relay between two nodes. Immutable.</summary>
/// <param name="Find">Returns the place to connect to; the given one where there is no other.</param>
internal sealed record LivenessDetour(Func<LivenessAddress, LivenessAddress> Find)
{
    /// <summary>Every connection goes to the endpoint itself.</summary>
    public static LivenessDetour None { get; } = new(static address => address);
}
