using System.Runtime.Loader;

namespace Cluster.Slim.Types.Policy;

/// <summary>Finds types of several load contexts with the same name: in a message the name could mean only one of them.
/// Stateless.</summary>
internal static class SameNames
{
    /// <summary>The first two user types with the same name, or null.</summary>
    public static (Type First, Type Second)? Find(IEnumerable<Type> types)
    {
        // The names of assemblies are read once, because that takes longer than the rest of the method.
        Dictionary<string, Type> byName = [];
        Dictionary<Assembly, string> assemblies = [];
        foreach (var type in types)
        {
            if (TypeRules.IsFramework(type))
                continue;
            if (!assemblies.TryGetValue(type.Assembly, out var assembly))
                assemblies.Add(type.Assembly, assembly = type.Assembly.GetName().Name!);
            var name = $"{type.FullName}, {assembly}";
            if (!byName.TryAdd(name, type) && byName[name] != type)
                return (byName[name], type);
        }

        return null;
    }

    /// <summary>The message about the two types, with the remedy.</summary>
    public static string Describe((Type First, Type Second) pair) =>
        $"two types are called {NameOf(pair.First)}: that of {OriginOf(pair.First)}, and that of "
        + $"{OriginOf(pair.Second)}. A name in a message can mean only one of them: make a serializer for each load "
        + "context, or load the assembly once.";

    private static string NameOf(Type type) => $"{type.FullName}, {type.Assembly.GetName().Name}";

    private static string OriginOf(Type type) =>
        $"version {type.Assembly.GetName().Version} in {AssemblyLoadContext.GetLoadContext(type.Assembly)}";
}
