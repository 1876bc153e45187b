using Cluster.Slim.Layouts;
using Cluster.Slim.Types;

namespace Cluster.Slim.Hosting;

/// <summary>Compares the layouts that two processes have for a type, before the processes exchange messages.</summary>
public static class SlimLayouts
{
    /// <summary>The 64-bit fingerprint of the name and layout of a type and of every type that declarations reach from
    /// it. If both sides have the same fingerprint, each side understands messages with this root. Subtypes are checked
    /// when a message contains them.</summary>
    /// <param name="serializer">The serializer whose codecs apply.</param>
    /// <param name="type">A root type.</param>
    public static ulong FingerprintOf(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        return serializer.Engine.Serializers.FingerprintOf(type);
    }

    /// <summary>The serializer's closed list: the types that objects in a place of type object may have.</summary>
    /// <param name="serializer">The serializer whose options apply.</param>
    /// <exception cref="InvalidOperationException">The serializer's profile has no closed list.</exception>
    public static IReadOnlyCollection<Type> ClosedListOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Roots.Of<object?>().Allowed.Listed;
    }

    /// <summary>Whether the format has a code for the type: its values have the same form in all versions of a
    /// program.</summary>
    /// <param name="type">A root type.</param>
    public static bool IsFixed(Type type) => WireTypes.CodeOf(type) != 0;

    /// <summary>The description of the layout of the type and of every type that declarations reach from it. Messages
    /// of <see cref="SlimSchema.Full"/> contain the same bytes.</summary>
    /// <param name="serializer">The serializer whose codecs apply.</param>
    /// <param name="type">A root type.</param>
    public static byte[] DescriptionOf(SlimSerializer serializer, Type type)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        return serializer.Engine.Serializers.Describe(type);
    }

    /// <summary>The fingerprint that belongs to a description.</summary>
    /// <param name="description">The description.</param>
    public static ulong FingerprintOf(ReadOnlySpan<byte> description) => XxHash3.Hash(description);

    /// <summary>Reads a description and returns the name of the type that it describes. This process need not have the
    /// type.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="description">The description; may come from a stranger.</param>
    /// <exception cref="SlimException">The bytes are no description.</exception>
    public static string NameOf(SlimSerializer serializer, ReadOnlySpan<byte> description)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new LayoutDecoder(description, serializer.Engine.Serializers.Layouts.OfCode).Decode()[0].Name;
    }

    /// <summary>Says why this process cannot read roots of another process as the type; null when it can. Two things
    /// are found only when a message contains them: values that do not fit, such as a number that is too large, and
    /// subtypes.</summary>
    /// <param name="serializer">The serializer that is to read.</param>
    /// <param name="type">The root type in this process.</param>
    /// <param name="description">The other process's description of its root type; may come from a stranger.</param>
    public static SlimException? FindObstacle(SlimSerializer serializer, Type type, ReadOnlySpan<byte> description)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(type);
        // An open place names the type of its object in each message.
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
