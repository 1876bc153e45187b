using Cluster.StateStore.Hosting.Tables;

namespace Cluster.Nodes.Lifecycle;

/// <summary>How the clock of a member differs from this machine's, as far as one question can tell.
/// Immutable.</summary>
/// <param name="Member">The member.</param>
/// <param name="Ahead">How far its clock is ahead; negative when it is behind.</param>
/// <param name="Uncertainty">How wrong that may be: half of the time that the question took.</param>
internal sealed record ClockDifference(ClusterMember Member, TimeSpan Ahead, TimeSpan Uncertainty)
{
    /// <summary>What the clocks differ by for certain.</summary>
    public TimeSpan AtLeast => Ahead.Duration() - Uncertainty;

    public string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Member.Node} at {Member.Address} is {Ahead.Duration().TotalSeconds:0.0} s {Direction}");

    private string Direction => Ahead < TimeSpan.Zero ? "behind" : "ahead";
}
