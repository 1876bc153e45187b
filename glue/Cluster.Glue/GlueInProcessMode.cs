namespace Cluster.Glue;

/// <summary>What a call through the in-process binding does with arguments and results.</summary>
public enum GlueInProcessMode
{
    /// <summary>Objects are handed over as they are: caller and service share them. The default.</summary>
    ShareObjects,

    /// <summary>Objects are serialized and rebuilt as over a network: slower, and faithful to it.</summary>
    Serialize,
}
