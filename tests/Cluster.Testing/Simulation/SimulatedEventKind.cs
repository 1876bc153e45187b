namespace Cluster.Testing.Simulation;

/// <summary>What happens at an event of a simulated run.</summary>
public enum SimulatedEventKind
{
    /// <summary>A message arrives.</summary>
    Delivery,

    /// <summary>A node's own deadline has come.</summary>
    NodeDeadline,

    /// <summary>A node starts.</summary>
    NodeStart,

    /// <summary>A node's pause ends.</summary>
    NodeResume,

    /// <summary>A node learns that another life has ended.</summary>
    DeathProven,

    /// <summary>A request reaches the store.</summary>
    StoreRequest,

    /// <summary>The store's answer reaches a node.</summary>
    StoreAnswer,

    /// <summary>The store's notification reaches a node.</summary>
    StoreNotification,

    /// <summary>A fault begins, or moves on to its next step.</summary>
    FaultStep,

    /// <summary>A fault ends.</summary>
    FaultEnd,

    /// <summary>A client begins an operation.</summary>
    ClientBegin,

    /// <summary>A client sends a request again, or gives up.</summary>
    ClientTimer,

    /// <summary>An event of a test's own.</summary>
    Other,
}
