namespace Cluster.Slim.Fields;

/// <summary>The plan of a framework collection from which a user's class may derive.</summary>
internal interface ICollectionPlan
{
    /// <summary>Makes the collection part of a shell of a derived class, like a collection that was created.</summary>
    void Adopt(object shell, object created);
}
