using Cluster.Slim.Errors;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Maps;

/// <summary>Holds the keys and values of a dictionary between reading and filling.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
/// <param name="Keys">The keys; none is null.</param>
/// <param name="Values">The value of each key.</param>
internal sealed record Entries<TKey, TValue>(TKey[] Keys, TValue[] Values)
{
    public int Count => Keys.Length;

    public static void Write(
        SlimWriter writer,
        KeyValuePair<TKey, TValue>[] entries,
        FieldSerializer<TKey> key,
        FieldSerializer<TValue> value)
    {
        writer.WriteVar((uint)entries.Length);
        for (var i = 0; i < entries.Length; i++)
        {
            writer.Trace?.PushIndex(i);
            key.Write(writer, entries[i].Key);
            value.Write(writer, entries[i].Value);
            writer.Trace?.Pop();
        }
    }

    /// <summary>The bytes of one entry in the two arrays.</summary>
    public static int MemoryBytes => FieldSerializer<TKey>.MemoryBytes + FieldSerializer<TValue>.MemoryBytes;

    /// <summary>Reads count and entries. Before that, charges for the two arrays and for the memory that the fill will
    /// allocate.</summary>
    public static Entries<TKey, TValue> Read(
        SlimReader reader, FieldSerializer<TKey> key, FieldSerializer<TValue> value, long entryBytes)
    {
        var count = reader.ReadCount(key.BytesMin + value.BytesMin);
        reader.Charge(80 + (count * (entryBytes + MemoryBytes)));
        var keys = new TKey[count];
        var values = new TValue[count];
        for (var i = 0; i < count; i++)
        {
            reader.Trace?.PushIndex(i);
            keys[i] = key.Read(reader);
            if (keys[i] is null)
                Throw.Malformed("A key is null.");
            values[i] = value.Read(reader);
            reader.Trace?.Pop();
        }

        return new Entries<TKey, TValue>(keys, values);
    }
}
