namespace Cluster.Glue;

/// <summary>How long one service object lives.</summary>
public enum GlueInstanceMode
{
    /// <summary>A new object from a new DI scope for each call, disposed with the scope when the call ends.</summary>
    PerCall,

    /// <summary>One object for the life of the server; it must be thread-safe.</summary>
    Singleton,
}
