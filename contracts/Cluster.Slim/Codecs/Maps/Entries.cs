using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>The keys and values of a dictionary between reading and filling.</summary>
/// <typeparam name="TKey">The key type.</typeparam>
/// <typeparam name="TValue">The value type.</typeparam>
/// <param name="Keys">The keys, none null.</param>
/// <param name="Values">As many values.</param>
internal sealed record Entries<TKey, TValue>(TKey[] Keys, TValue[] Values)
{
    // A bucket, an entry with hash and link, and the arrays that hold keys and values until the dictionary is filled.
    private const int EntryOverheadBytes = 16;

    internal int Count => Keys.Length;

    internal static void Write(
        SlimWriter writer, KeyValuePair<TKey, TValue>[] entries, Slot<TKey> keySlot, Slot<TValue> valueSlot)
    {
        writer.WriteVar((uint)entries.Length);
        for (int i = 0; i < entries.Length; i++)
        {
            writer.Trace?.PushIndex(i);
            keySlot.Write(writer, entries[i].Key);
            valueSlot.Write(writer, entries[i].Value);
            writer.Trace?.Pop();
        }
    }

    internal static Entries<TKey, TValue> Read(SlimReader reader, Slot<TKey> keySlot, Slot<TValue> valueSlot)
    {
        int count = reader.ReadCount(keySlot.BytesMin + valueSlot.BytesMin);
        long entryBytes = EntryOverheadBytes + (2L * (Slot<TKey>.MemoryBytes + Slot<TValue>.MemoryBytes));
        reader.Charge(count * entryBytes);
        TKey[] keys = new TKey[count];
        TValue[] values = new TValue[count];
        for (int i = 0; i < count; i++)
        {
            reader.Trace?.PushIndex(i);
            keys[i] = keySlot.Read(reader);
            if (keys[i] is null)
                Throw.Malformed("A key is null.");
            values[i] = valueSlot.Read(reader);
            reader.Trace?.Pop();
        }

        return new Entries<TKey, TValue>(keys, values);
    }
}
