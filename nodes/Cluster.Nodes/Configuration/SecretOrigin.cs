namespace Cluster.Nodes.Configuration;

/// <summary>Where the processes of a cluster find their secret when none is configured.</summary>
internal enum SecretOrigin
{
    /// <summary>The cluster is one process, which makes a secret for itself.</summary>
    Process,

    /// <summary>The folder of the file store, which only one user of the machine can read.</summary>
    Folder,

    /// <summary>The configuration alone. Without it, every process that reaches a node can do what a node
    /// does.</summary>
    Configuration,
}
