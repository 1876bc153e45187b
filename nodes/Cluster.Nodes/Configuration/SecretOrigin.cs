namespace Cluster.Nodes.Configuration;

/// <summary>Where the processes of a cluster get their secret from when none is configured.</summary>
internal enum SecretOrigin
{
    /// <summary>The cluster is one process, which makes a secret that nobody else needs to know.</summary>
    Process,

    /// <summary>The folder of the file store, which only one user of the machine can read.</summary>
    Folder,

    /// <summary>The configuration alone. Without it, every process that reaches a node can do what a node
    /// does.</summary>
    Configuration,
}
