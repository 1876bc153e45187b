using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Hosting;

/// <summary>Lets a host carry references to its own objects in the place of their values.</summary>
public static class SlimExternalReferences
{
    /// <summary>Makes interfaces external. The <see cref="ISlimReferences"/> of the message gets every object in a
    /// place of an external interface: a root, field, element, key or value of that declared type, anywhere in a graph.
    /// An interface that was allowed by name is not external. External interfaces bring no type onto the closed list.
    /// Both sides must have the same external interfaces.</summary>
    /// <param name="options">The options of a serializer that is not created yet. A later call replaces the function of
    /// an earlier one.</param>
    /// <param name="isExternal">Gets interfaces only. Many threads call it; it must always give the same
    /// answer.</param>
    public static SlimOptions UseExternalReferences(this SlimOptions options, Func<Type, bool> isExternal)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(isExternal);
        options.ExternalTypes = isExternal;
        return options;
    }

    /// <summary>Whether graphs of a declared type have places of external interfaces. Only declared types are
    /// searched.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">A root type.</param>
    public static bool AreReachedFrom(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        var rules = serializer.Engine.Rules;
        return rules.HasExternalReferences && new TypeClosure(rules).ReachesExternal(type);
    }
}
