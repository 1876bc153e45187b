namespace Cluster.Nodes.AspNetCore.Hybrid;

/// <summary>The generation of a tag. It changes when the entries of the tag are removed, and a tag that was forgotten
/// begins with another one, so that no entry of before counts again.</summary>
internal sealed class TagGeneration
{
    /// <summary>The name of the state.</summary>
    public const string StateName = "aspnetcore.hybrid-tags";

    /// <summary>The number of the generation.</summary>
    public long Number { get; set; }
}
