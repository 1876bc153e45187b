namespace Cluster.Glue.Routes;

/// <summary>A channel to a server of this process, which may share objects with its callers.</summary>
internal interface ISharingChannel : ICallChannel
{
    /// <summary>Whether arguments and results are passed without serialization.</summary>
    bool SharesObjects { get; }
}
