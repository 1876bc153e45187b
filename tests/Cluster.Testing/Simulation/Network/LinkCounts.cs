namespace Cluster.Testing.Simulation.Network;

/// <summary>What has happened to the messages of a network. Used by one thread.</summary>
public sealed class LinkCounts
{
    /// <summary>Messages that were sent.</summary>
    public long Sent { get; internal set; }

    /// <summary>Messages that arrived at an end point, duplicates included.</summary>
    public long Delivered { get; internal set; }

    /// <summary>Messages that were lost by chance.</summary>
    public long Lost { get; internal set; }

    /// <summary>Messages that a cut link refused.</summary>
    public long Cut { get; internal set; }

    /// <summary>Messages that arrived twice.</summary>
    public long Duplicated { get; internal set; }

    /// <summary>Messages that arrived before a message that was sent earlier on the same link.</summary>
    public long Overtaking { get; internal set; }

    /// <summary>Messages that took longer than the longest delay of a good local network.</summary>
    public long Slow { get; internal set; }
}
