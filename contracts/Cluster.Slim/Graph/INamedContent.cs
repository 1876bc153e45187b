namespace Cluster.Slim.Graph;

/// <summary>The waiting content of an object: named values that belong to the object alone.</summary>
internal interface INamedContent
{
    object?[] Values { get; }
}
