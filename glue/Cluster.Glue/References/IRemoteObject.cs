namespace Cluster.Glue.References;

/// <summary>A stream or proxy in the hands of a user, which may belong to an object of a peer.</summary>
internal interface IRemoteObject
{
    /// <summary>The reference to give back; null for the proxy of a service.</summary>
    ImportedReference? Reference { get; }
}
