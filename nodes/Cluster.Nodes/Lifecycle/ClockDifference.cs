using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Lifecycle;

/// <summary>How the clock of a member differs from this machine's, as measured by one request. Immutable.</summary>
/// <param name="Member">The member.</param>
/// <param name="Ahead">How far its clock is ahead; negative when it is behind.</param>
/// <param name="Uncertainty">The possible error: half of the time that the request took.</param>
internal sealed record ClockDifference(ClusterMember Member, TimeSpan Ahead, TimeSpan Uncertainty)
{
    /// <summary>The smallest possible difference between the clocks.</summary>
    public TimeSpan AtLeast => Ahead.Duration() - Uncertainty;

    public string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Member.Node} at {Member.Address} is {Ahead.Duration().TotalSeconds:0.0} s {Direction}");

    private string Direction => Ahead < TimeSpan.Zero ? "behind" : "ahead";
}
