namespace Cluster.Glue.References;

/// <summary>A stream of a peer, as users hold it.</summary>
internal interface IRemoteStream
{
    ImportedReference Reference { get; }
}
