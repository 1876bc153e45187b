using Cluster.Glue.Wire;

namespace Cluster.Glue.Faults;

/// <summary>The Data of an exception as text, for callers that cannot rebuild its type. Keys and values run user code;
/// an exception that they throw leaves the entry out. Pure.</summary>
internal static class ExceptionEntries
{
    private const int TextMax = 1024;
    private const int TextBytesMax = 4 * TextMax;

    /// <summary>Writes the entries, up to the limit; none for null.</summary>
    public static void Write(WireBuffer output, Exception? exception)
    {
        var entries = EntriesOf(exception);
        output.WriteVarint((ulong)entries.Length);
        foreach ((var key, var value) in entries)
        {
            output.WriteText(key);
            output.WriteByte(value is null ? (byte)0 : (byte)1);
            if (value is not null)
                output.WriteText(value);
        }
    }

    public static KeyValuePair<string, string?>[] Read(ref WireReader reader)
    {
        var entries = new KeyValuePair<string, string?>[
            reader.ReadLength(GlueLimits.ExceptionDataMax, "exception data count")];
        for (var i = 0; i < entries.Length; i++)
        {
            var key = reader.ReadText(TextBytesMax, "exception data key");
            var value = reader.ReadByte("exception data") == 0
                ? null
                : reader.ReadText(TextBytesMax, "exception data value");
            entries[i] = KeyValuePair.Create(key, value);
        }

        return entries;
    }

    private static KeyValuePair<string, string?>[] EntriesOf(Exception? exception)
    {
        var entries = new List<KeyValuePair<string, string?>>();
        try
        {
            if (exception?.Data is not { Count: > 0 } data)
                return [];
            foreach (DictionaryEntry entry in data)
            {
                if (entries.Count == GlueLimits.ExceptionDataMax)
                    break;
                if (TextOf(entry.Key) is { } key)
                    entries.Add(KeyValuePair.Create(key, entry.Value is null ? null : TextOf(entry.Value)));
            }
        }
        catch (Exception)
        {
            // Data is virtual, and its keys and values are the user's: the entries read so far are sent.
        }

        return [.. entries];
    }

    private static string? TextOf(object value)
    {
        var text = Convert.ToString(value, CultureInfo.InvariantCulture);
        return text is null || text.Length <= TextMax ? text : text[..TextMax];
    }
}
