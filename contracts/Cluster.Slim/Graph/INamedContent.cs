namespace Cluster.Slim.Graph;

/// <summary>Content of an object that waits: named values that belong to the object alone.</summary>
internal interface INamedContent
{
    object?[] Values { get; }
}
