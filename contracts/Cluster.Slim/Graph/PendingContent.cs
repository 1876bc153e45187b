using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>A collection that exists, and the content that it must still be filled with.</summary>
/// <param name="Serializer">The serializer that fills it.</param>
/// <param name="Instance">The collection.</param>
/// <param name="Content">The content that the serializer has read.</param>
internal readonly record struct PendingContent(TypeSerializer Serializer, object Instance, object Content)
{
    public void Complete(SlimReader reader) => Serializer.Complete(reader, Instance, Content);

    /// <summary>Checks a collection that was built early.</summary>
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
