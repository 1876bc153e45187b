using Cluster.Slim.Types;

namespace Cluster.Slim.Hosting;

/// <summary>Compares what two processes mean by a type before they exchange messages.</summary>
public static class SlimLayouts
{
    /// <summary>The 64-bit fingerprint of the name and layout of a type and of every type that declarations reach from
    /// it. Equal on both sides means that messages with this root are understood; subtypes are checked when they
    /// occur.</summary>
    /// <param name="serializer">The serializer whose codecs apply.</param>
    /// <param name="type">A root type.</param>
    public static ulong FingerprintOf(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        return serializer.Engine.Serializers.FingerprintOf(type);
    }

    /// <summary>The types that objects in a place of type object may have: the serializer's closed list.</summary>
    /// <param name="serializer">The serializer whose options apply.</param>
    /// <exception cref="InvalidOperationException">The serializer's profile has no closed list.</exception>
    public static IReadOnlyCollection<Type> ClosedListOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Roots.Of<object?>().Allowed.Listed;
    }

    /// <summary>Whether values of the type lie in messages alike in all versions of a program.</summary>
    /// <param name="type">A root type.</param>
    public static bool IsFixed(Type type) => WireTypes.CodeOf(type) != 0;

    /// <summary>The description of the type's layout and of every type that declarations reach from it, as messages of
    /// <see cref="SlimSchema.Full"/> have it.</summary>
    /// <param name="serializer">The serializer whose codecs apply.</param>
    /// <param name="type">A root type.</param>
    public static byte[] DescriptionOf(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        return serializer.Engine.Serializers.Describe(type);
    }

    /// <summary>Says why roots that another process writes cannot be read as the type here; null when they can. Values
    /// that do not fit, such as a number that is too large, and subtypes are found when they occur.</summary>
    /// <param name="serializer">The serializer that is to read.</param>
    /// <param name="type">The root type here.</param>
    /// <param name="description">The description of the root type there; may come from a stranger.</param>
    public static SlimException? FindObstacle(SlimSerializer serializer, Type type, ReadOnlySpan<byte> description)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        // What an open place holds is known when it occurs.
        if (IsFixed(type) || type.IsInterface || type.IsAbstract)
            return null;
        try
        {
            var allowed = serializer.Engine.Roots.Of(type).Allowed;
            new Versions.DescribedTypes(description.ToArray(), allowed, serializer.Engine.Serializers).BindAll(type);
            return null;
        }
        catch (SlimException obstacle)
        {
            return obstacle;
        }
    }
}
