namespace Cluster.Glue.Routes;

/// <summary>A channel to a server of this process, which may share objects with its callers.</summary>
internal interface ISharingChannel : ICallChannel
{
    /// <summary>Arguments and results are handed over as they are.</summary>
    bool SharesObjects { get; }
}
