using Cluster.Slim.Hosting;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Lets a reader ask the host for the objects that the host sent by reference. Owned by one message; used by
/// one thread.</summary>
internal sealed class HostImports(ISlimReferences references)
{
    public ISlimReferences References => references;

    /// <summary>The declared type of the place that the reader reads now, if that type is external; else
    /// null.</summary>
    public Type? Place { get; private set; }

    /// <summary>Reads an object. The object may be one of the host's only if <paramref name="external"/> is not
    /// null.</summary>
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
