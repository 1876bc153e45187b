namespace Cluster.Slim.Fields;

/// <summary>The serializer of a framework collection from which a user's class may derive.</summary>
internal interface ICollectionSerializer
{
    /// <summary>Runs the framework's constructor on the shell of a derived class, with the settings of the created
    /// collection.</summary>
    void Adopt(object shell, object created);
}
