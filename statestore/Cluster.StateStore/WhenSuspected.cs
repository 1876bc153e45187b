namespace Cluster.StateStore;

/// <summary>What becomes of operations whose owner has not been heard for 1.5 s. A node that is suspected keeps its
/// partitions until it is proven dead or its leases have ended.</summary>
public enum WhenSuspected
{
    /// <summary>They wait for a new owner, or until the owner is heard again, at most until their deadline.</summary>
    Wait,

    /// <summary>They fail at once with <see cref="StateUnavailableException"/>. Its inner exception is a
    /// <see cref="GlueException"/> that says unreachable and not delivered.</summary>
    FailFast,
}
