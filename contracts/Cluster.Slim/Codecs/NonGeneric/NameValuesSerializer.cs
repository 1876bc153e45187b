using System.Collections.Specialized;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Fields;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads names with several values each. Head: comparer. Body: a user's comparer, count, then name
/// and value in turn. All values of one name come together. A name without values has the value null, and a name may be
/// null.</summary>
internal sealed class NameValuesSerializer(SerializerSource source)
    : TypeSerializer(typeof(NameValueCollection)), ICollectionSerializer
{
    // The bytes of a node in the list of names, a node in the table, and the list of the values.
    private const int NameBytes = 352;

    private readonly FieldSerializer<string?> _text = source.FieldSerializerOf<string?>();
    private readonly OwnComparer _comparer = new(typeof(NameValueCollection), source);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, HiddenSettings.ComparerOf((NameValueCollection)created));

    public override void Describe(LayoutBuilder layout)
    {
        _comparer.Describe(layout);
        layout.Body.Items(typeof(string), typeof(string));
    }

    public override void WriteHead(SlimWriter writer, object value) =>
        Comparers.Write(writer, HiddenSettings.ComparerOf((NameValueCollection)value));

    public override object Create(SlimReader reader)
    {
        reader.Charge(256);
        return new NameValueCollection(Comparers.ReadEquality(reader));
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        var names = (NameValueCollection)value;
        _comparer.Write(writer, HiddenSettings.ComparerOf(names));
        var entries = EntriesOf(names);
        writer.Doubts.Charge(NameBytes * (long)entries.Length);
        WrittenKeys.Check<string, (NameValueCollection, KeyValuePair<string?, string?>[])>(
            writer,
            value,
            HiddenSettings.ComparerOf(names),
            (names, entries),
            static (keys, state) => ChargeKeys(keys, state.Item1, state.Item2));
        Entries<string?, string?>.Write(writer, entries, _text, _text);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var isOwn = _comparer.Read(reader, instance, HiddenSettings.ComparerOf((NameValueCollection)instance));
        var count = reader.ReadCount(2);
        reader.Charge(NameBytes * (long)count);
        var entries = new KeyValuePair<string?, string?>[count];
        for (var i = 0; i < count; i++)
            entries[i] = KeyValuePair.Create(reader.ReadString(), reader.ReadString());
        if (isOwn)
            reader.Completions.Add(this, instance, entries);
        else
            Complete(reader, instance, entries);
    }

    public override void Complete(SlimReader reader, object instance, object content) =>
        KeyRules<string>.Guard(
            (reader.Keys, Names: (NameValueCollection)instance, Entries: (KeyValuePair<string?, string?>[])content),
            static fill =>
            {
                ChargeKeys(fill.Keys, fill.Names, fill.Entries);
                Fill(fill.Names, fill.Entries);
            });

    private static KeyValuePair<string?, string?>[] EntriesOf(NameValueCollection names) =>
        [.. Enumerable.Range(0, names.Count).SelectMany(i => (names.GetValues(i) ?? [null!])
            .Select(text => KeyValuePair.Create<string?, string?>(names.GetKey(i), text)))];

    private static void ChargeKeys(
        KeyLedger ledger, NameValueCollection names, KeyValuePair<string?, string?>[] entries)
    {
        List<object> keys = [];
        foreach ((var name, _) in entries)
        {
            if (name is not null && (keys.Count == 0 || !name.Equals(keys[^1])))
                keys.Add(name);
        }

        KeyRules<object>.ChargeTree(
            ledger,
            CollectionsMarshal.AsSpan(keys),
            DictionaryEntries.KeyComparer(HiddenSettings.ComparerOf(names)));
    }

    private static void Fill(NameValueCollection names, KeyValuePair<string?, string?>[] entries)
    {
        names.Clear();
        foreach ((var name, var text) in entries)
            names.Add(name, text);
    }
}
