namespace Cluster.Glue.References;

/// <summary>A stream of a peer as users hold it, or a proxy, which may be that of an object of a peer.</summary>
internal interface IRemoteObject
{
    /// <summary>What gives it back; null for the proxy of a service.</summary>
    ImportedReference? Reference { get; }
}
