using Cluster.Slim.Messages;

namespace Cluster.Slim.Hosting;

/// <summary>The integers by which messages of the profile <see cref="SlimProfile.InProcess"/> name types. The integers
/// belong to one serializer. A program that keeps messages longer than the serializer must keep this table with
/// them.</summary>
public static class SlimTypeTable
{
    /// <summary>The number of types that have an integer. The serializer counts them from 0, in the order in which it
    /// met the types.</summary>
    /// <param name="serializer">The serializer.</param>
    public static int CountOf(SlimSerializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return serializer.Engine.Serializers.ProcessTypes.Count;
    }

    /// <summary>The type that an integer stands for. Null when the table was restored and this program has no such
    /// type, or has the type with other fields.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="number">At least 0 and less than <see cref="CountOf"/>.</param>
    public static Type? TypeOf(SlimSerializer serializer, int number) => SerializerOf(serializer, number)?.Type;

    /// <summary>The layout of the messages that name this integer, in the form of the format's type descriptions.
    /// Another process needs it to read these messages, even if it has changed or removed the type.</summary>
    /// <param name="serializer">The serializer.</param>
    /// <param name="number">At least 0 and less than <see cref="CountOf"/>.</param>
    /// <exception cref="ArgumentException">The integer has no type in this process: pass the entry of the old table
    /// on.</exception>
    public static byte[] LayoutOf(SlimSerializer serializer, int number) =>
        SerializerOf(serializer, number) is { } known
            ? serializer.Engine.Serializers.Describe(known.Type)
            : throw new ArgumentException($"The integer {number} has no type in this process.", nameof(number));

    /// <summary>Gives types the integers that they had in another serializer with the same codecs, so that the new
    /// serializer can read the old one's messages. Call this before the new serializer writes or reads anything. If
    /// fields of a type have changed, <see cref="SlimOptions.Versioning"/> says how the old messages are read, and new
    /// messages use an integer after those of the table. If this program has no such type, only messages with that
    /// integer are refused, and the error names the type.</summary>
    /// <param name="serializer">The new serializer.</param>
    /// <param name="records">The entry at each index belongs to the integer that equals the index.</param>
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

/// <summary>One entry of a <see cref="SlimTypeTable"/> from another process.</summary>
/// <param name="Type">The type of this program that the entry means; null when this program has none.</param>
/// <param name="Layout">The bytes that <see cref="SlimTypeTable.LayoutOf"/> returned in the other process. The layout
/// may have other fields than the type has in this program.</param>
public readonly record struct SlimTypeRecord(Type? Type, ReadOnlyMemory<byte> Layout);
