using Cluster.Slim;

namespace Cluster.ConventionTests.Namespaces.Samples;

/// <summary>Copies a graph.</summary>
internal static class Serializer
{
    public static T Copy<T>(T graph) => new SlimSerializer(new SlimOptions().Allow<T>()).DeepClone(graph);
}
