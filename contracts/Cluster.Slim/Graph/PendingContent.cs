using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>A collection that exists and the content it has still to be filled with.</summary>
/// <param name="Serializer">The serializer that fills it.</param>
/// <param name="Instance">The collection.</param>
/// <param name="Content">What the serializer has read for it.</param>
internal readonly record struct PendingContent(TypeSerializer Serializer, object Instance, object Content)
{
    public void Complete(SlimReader reader) => Serializer.Complete(reader, Instance, Content);

    /// <summary>Looks at a collection again that was built early.</summary>
    public void CheckComplete(string? path)
    {
        try
        {
            Serializer.CheckComplete(Instance, Content);
        }
        catch (SlimException e)
        {
            e.MemberPath = path;
            throw;
        }
    }
}
