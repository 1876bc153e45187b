using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Exceptions;

/// <summary>Writes and reads the data of an exception. Each entry is a key as text and a value. If the key is not a
/// text, the entry is null and an array of key and value. A text stands for each key or value that cannot be carried.
/// Immutable.</summary>
internal sealed class ExceptionEntries(SerializerSource source)
{
    private const int EntryBytes = 64;
    private const int TextLengthMax = 1024;

    private readonly FieldSerializer<object?> _value = source.FieldSerializerOf<object?>();

    public static void Describe(StepList steps) => steps.Items(typeof(string), typeof(object));

    public void Write(SlimWriter writer, Exception exception)
    {
        var entries = exception.Data;
        KeyLedger.CheckSearched(writer.Limits, entries.Count);
        writer.Doubts.Charge(EntryBytes * (long)entries.Count);
        writer.WriteVar((uint)entries.Count);
        if (entries.Count == 0)
            return;
        writer.Trace?.Push(nameof(Exception.Data));
        var trial = DataTrial.Of(writer);
        var canHaveKeys = CanHaveKeys(writer, entries);
        HashSet<string> texts = [.. entries.Keys.OfType<string>()];
        foreach (DictionaryEntry entry in entries)
        {
            var value = trial.IsCarried(exception, entry.Value) ? entry.Value : TextOf(writer, entry.Value!);
            if (canHaveKeys && entry.Key is not string && trial.IsCarried(exception, entry.Key))
                WritePair(writer, entry.Key, value);
            else
                WriteEntry(writer, entry.Key as string ?? Unused(texts, TextOf(writer, entry.Key)), value);
        }

        writer.Trace?.Pop();
    }

    /// <summary>Reads the entries; null if there are none. For a key that is not a text,
    /// <see cref="Entries{TKey, TValue}.Keys"/> has an array whose first item is the key; that array may be filled
    /// later.</summary>
    public Entries<object, object?>? Read(SlimReader reader)
    {
        var count = reader.ReadCount(2);
        KeyLedger.CheckSearched(reader.Limits, count);
        if (count == 0)
            return null;
        reader.Charge(EntryBytes + (count * (EntryBytes + 16L)));
        Entries<object, object?> entries = new(new object[count], new object?[count]);
        for (var i = 0; i < count; i++)
        {
            var text = reader.ReadString();
            var value = _value.Read(reader);
            if (text is null && value is not object?[])
                Throw.Malformed("A key of exception data is null.");
            entries.Keys[i] = text ?? value!;
            entries.Values[i] = value;
        }

        return entries;
    }

    /// <summary>Whether some key is not a text: then the entries can be filled only when the keys are
    /// complete.</summary>
    public static bool HasKeys(Entries<object, object?> entries) =>
        Array.Exists(entries.Keys, static key => key is not string);

    public static void Fill(KeyLedger ledger, IDictionary data, Entries<object, object?> entries)
    {
        var keys = new object[entries.Count];
        var values = new object?[entries.Count];
        for (var i = 0; i < keys.Length; i++)
            (keys[i], values[i]) = EntryOf(entries.Keys[i], entries.Values[i]);
        KeyRules<object>.Guard((ledger, data, keys, values), static fill =>
        {
            if (Array.Exists(fill.keys, static key => key is not string))
                KeyRules<object>.ChargeSearched(fill.ledger, fill.keys);
            for (var i = 0; i < fill.keys.Length; i++)
                fill.data[fill.keys[i]] = fill.values[i];
        });
    }

    // A reader compares these keys with each other. If that costs too much, the keys are written as texts.
    private static bool CanHaveKeys(SlimWriter writer, IDictionary entries)
    {
        object[] keys = [.. entries.Keys.Cast<object>()];
        if (Array.TrueForAll(keys, static key => key is string))
            return false;
        try
        {
            WrittenKeys.Run(writer, entries, keys, static (ledger, k) => KeyRules<object>.ChargeSearched(ledger, k));
            writer.Doubts.HasWaiting = true;
            return true;
        }
        catch (SlimException)
        {
            return false;
        }
    }

    private static (object Key, object? Value) EntryOf(object key, object? value)
    {
        if (key is string)
            return (key, value);
        var pair = (object?[])key;
        if (pair is not [{ } first, var second])
        {
            Throw.Malformed("A key of exception data is not in an array with its value.");
            return default;
        }

        return (first, second);
    }

    private void WriteEntry(SlimWriter writer, string key, object? value)
    {
        writer.WriteString(key);
        _value.Write(writer, value);
    }

    private void WritePair(SlimWriter writer, object key, object? value)
    {
        writer.WriteString(null);
        _value.Write(writer, new[] { key, value });
    }

    // The value may have any type. Its code runs only if it is not nested so deep that it could overflow the stack.
    private static string TextOf(SlimWriter writer, object value)
    {
        string text;
        try
        {
            writer.Keys.CostOf(value, isShared: false);
            text = value is Exception error ? $"{error.GetType()}: {error.Message}" : value.ToString() ?? "";
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            text = value.GetType().ToString();
        }

        var lengthMax = Math.Min(TextLengthMax, writer.Limits.MaxStringLength);
        return text.Length <= lengthMax ? text : text[..lengthMax];
    }

    // Two different keys may have the same text.
    private static string Unused(HashSet<string> texts, string text)
    {
        var unused = text;
        for (var i = 2; !texts.Add(unused); i++)
            unused = $"{text} ({i})";
        return unused;
    }
}
