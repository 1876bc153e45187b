namespace Cluster.Testing.Simulation.Nodes;

/// <summary>What a simulated node does at the moment.</summary>
public enum NodeCondition
{
    /// <summary>It has never been started, or has left in order.</summary>
    Stopped,

    /// <summary>Its program runs.</summary>
    Running,

    /// <summary>Its program stands still: it gets nothing and does nothing until the pause ends.</summary>
    Paused,

    /// <summary>Its last life has ended by a crash.</summary>
    Crashed,
}
