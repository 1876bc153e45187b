namespace Cluster_Service.Node;

/// <summary>A value of the state: any class. It lies in native memory of the node that owns its key.</summary>
internal sealed class Shelf
{
    /// <summary>How many units there are.</summary>
    public int Count { get; set; }
}
