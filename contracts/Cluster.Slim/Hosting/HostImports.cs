using Cluster.Slim.Plans;

namespace Cluster.Slim.Hosting;

/// <summary>What a reader needs to ask its host for objects. Owned by one message; used by one thread.</summary>
internal sealed class HostImports(ISlimReferences references)
{
    internal ISlimReferences References => references;

    /// <summary>The declared type of the place that is being read, if the host has claimed it.</summary>
    internal Type? Place { get; private set; }

    /// <summary>Reads an object that may be the host's, if it stands in a place of a claimed type.</summary>
    internal static object Read(SlimReader reader, ObjectPlan plan, Type? claimed)
    {
        if (reader.Imports is not { } imports)
            return reader.ReadReplaceable(plan);
        imports.Place = claimed;
        object value = reader.ReadReplaceable(plan);
        imports.Place = null;
        return value;
    }
}
