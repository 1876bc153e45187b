namespace Cluster.Glue.Client;

/// <summary>Takes the arguments of a call in their order, each with its static type.</summary>
internal interface IArgumentWriter
{
    void Write<T>(T argument);
}
