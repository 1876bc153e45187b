namespace Cluster.Slim.Fields;

/// <summary>The serializer of a framework collection from which a user's class may derive.</summary>
internal interface ICollectionSerializer
{
    /// <summary>Makes the collection part of a shell of a derived class, like a collection that was created.</summary>
    void Adopt(object shell, object created);
}
