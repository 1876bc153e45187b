using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>What a reader needs to ask its host for objects. Owned by one message; used by one thread.</summary>
internal sealed class HostImports(ISlimReferences references)
{
    public ISlimReferences References => references;

    /// <summary>The declared type of the place that is being read, if that is external.</summary>
    public Type? Place { get; private set; }

    /// <summary>Reads an object that may be the host's, if it stands in a place of an external type.</summary>
    public static object Read(SlimReader reader, TypeSerializer serializer, Type? external)
    {
        if (reader.Imports is not { } imports)
            return reader.ReadReplaceable(serializer);
        imports.Place = external;
        var value = reader.ReadReplaceable(serializer);
        imports.Place = null;
        return value;
    }
}
