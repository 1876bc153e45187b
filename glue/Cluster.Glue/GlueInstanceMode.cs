namespace Cluster.Glue;

/// <summary>How long one service object lives.</summary>
public enum GlueInstanceMode
{
    /// <summary>A new object from a new DI scope for each call, disposed with the scope when the call ends.</summary>
    PerCall,

    /// <summary>One object for the life of the server; it must be thread-safe.</summary>
    Singleton,

    /// <summary>An object for each call of a <c>[Constructor]</c> method, in its own DI scope, found by the handle that
    /// the call returned. It lives until its <c>[Destructor]</c> has run or it was idle for
    /// <c>InstanceIdleTimeout</c>.</summary>
    Stateful,

    /// <summary>As <see cref="Stateful"/>, but created by the first call to a handle that the caller has chosen, or by
    /// the first call without a handle: all callers without a handle share one object.</summary>
    AutoConstructed,
}
