namespace Cluster.Slim.Hosting;

/// <summary>Compares what two processes mean by a type before they exchange messages.</summary>
public static class SlimLayouts
{
    /// <summary>
    /// The 64-bit fingerprint of the name and layout of a type and of every type that declarations reach from it.
    /// Equal on both sides means that messages with this root are understood; subtypes are checked when they occur.
    /// </summary>
    /// <param name="serializer">The serializer whose codecs apply.</param>
    /// <param name="type">A root type.</param>
    public static ulong FingerprintOf(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        return serializer.Engine.Plans.FingerprintOf(type);
    }

    /// <summary>The types that objects in a place of type object may have: the serializer's closed list.</summary>
    /// <param name="serializer">The serializer whose options apply.</param>
    /// <exception cref="InvalidOperationException">The serializer's profile has no closed list.</exception>
    public static IReadOnlyCollection<Type> ClosedListOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Roots.Of<object?>().Allowed.Listed;
    }
}
