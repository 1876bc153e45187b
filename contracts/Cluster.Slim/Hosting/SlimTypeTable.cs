namespace Cluster.Slim.Hosting;

/// <summary>
/// The integers by which messages of the profile <see cref="SlimProfile.InProcess"/> name types. They belong to one
/// serializer; whoever keeps its messages longer than the serializer keeps this table with them.
/// </summary>
public static class SlimTypeTable
{
    /// <summary>How many types have an integer so far: 0 and up, in the order in which they were met.</summary>
    /// <param name="serializer">The serializer.</param>
    public static int CountOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Plans.ProcessIdCount;
    }

    /// <summary>The type that an integer stands for; null when the table was restored without it.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="number">From 0 and below the count.</param>
    public static Type? TypeOf(SlimSerializer serializer, int number)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(number, CountOf(serializer));
        return serializer.Engine.Plans.FindByProcessId((uint)number)?.Type;
    }

    /// <summary>
    /// Gives types the integers that they had in another serializer with the same codecs, so that its messages can be
    /// read. To be called before this serializer has written or read anything. The layouts must be the same:
    /// compare <see cref="SlimLayouts.FingerprintOf"/>.
    /// </summary>
    /// <param name="serializer">The new serializer.</param>
    /// <param name="types">By integer; null where the type is not to be had or has changed, and then messages with it
    /// are refused.</param>
    public static void Restore(SlimSerializer serializer, IReadOnlyList<Type?> types)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(types);
        serializer.Engine.Plans.RestoreProcessIds(types);
    }
}
