namespace Cluster_Web;

/// <summary>A value of the state: any class. It needs no attributes.</summary>
internal sealed class Votes
{
    /// <summary>How many votes there are.</summary>
    public int Count { get; set; }
}
