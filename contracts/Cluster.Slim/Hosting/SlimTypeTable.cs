using Cluster.Slim.Messages;

namespace Cluster.Slim.Hosting;

/// <summary>The integers by which messages of the profile <see cref="SlimProfile.InProcess"/> name types. They belong
/// to one serializer; whoever keeps its messages longer than the serializer keeps this table with them.</summary>
public static class SlimTypeTable
{
    /// <summary>How many types have an integer so far: 0 and up, in the order in which they were met.</summary>
    /// <param name="serializer">The serializer.</param>
    public static int CountOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Serializers.ProcessTypes.Count;
    }

    /// <summary>The type that an integer stands for; null when the table was restored and this program has no such
    /// type, or has it with other fields.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="number">From 0 and below the count.</param>
    public static Type? TypeOf(SlimSerializer serializer, int number) => SerializerOf(serializer, number)?.Type;

    /// <summary>How messages with that integer lie, in the form of the descriptions of the message format: what another
    /// process needs to read them, whatever has become of the type there.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="number">From 0 and below the count.</param>
    /// <exception cref="ArgumentException">It has no type here: pass the entry of the old table on.</exception>
    public static byte[] LayoutOf(SlimSerializer serializer, int number) =>
        SerializerOf(serializer, number) is { } known
            ? serializer.Engine.Serializers.Describe(known.Type)
            : throw new ArgumentException($"The integer {number} has no type in this process.", nameof(number));

    /// <summary>Gives types the integers that they had in another serializer with the same codecs, so that its messages
    /// can be read; to be called before this serializer has written or read anything. Where fields have changed,
    /// reading does as <see cref="SlimOptions.Versioning"/> says, and new messages get integers behind those of the
    /// table. Where there is no type, its messages are refused by name, and only they.</summary>
    /// <param name="serializer">The new serializer.</param>
    /// <param name="records">By integer.</param>
    /// <exception cref="SlimMalformedException">A layout is damaged.</exception>
    public static void Restore(SlimSerializer serializer, IReadOnlyList<SlimTypeRecord> records)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(records);
        serializer.Engine.Serializers.RestoreProcessIds(records);
    }

    private static TypeSerializer? SerializerOf(SlimSerializer serializer, int number)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentOutOfRangeException.ThrowIfNegative(number);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(number, CountOf(serializer));
        return serializer.Engine.Serializers.ProcessTypes.Find((uint)number);
    }
}
