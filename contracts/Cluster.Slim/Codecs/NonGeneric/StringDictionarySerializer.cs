using System.Collections.Specialized;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.NonGeneric;

/// <summary>Writes and reads a dictionary of texts whose keys are in lower case. Body: count, keys and values in
/// turn.</summary>
internal sealed class StringDictionarySerializer(SerializerSource source)
    : TypeSerializer(typeof(StringDictionary)), ICollectionSerializer
{
    private static readonly long EntryBytes =
        CollectionSizes.EntryBytesOf(typeof(StringDictionary), Entries<string, string>.MemoryBytes);

    private readonly FieldSerializer<string> _text = source.FieldSerializerOf<string>();
    private readonly Func<KeyValuePair<string, string>[], KeyValuePair<string, string>[]>? _sort =
        CanonicalItems.For<KeyValuePair<string, string>>(typeof(StringDictionary), source.Rules);
    private readonly OwnComparer _comparer = new(typeof(StringDictionary), source);

    public void Adopt(object shell, object created) =>
        _comparer.Construct(shell, null);

    public override void Describe(LayoutBuilder layout) => layout.Body.Items(typeof(string), typeof(string));

    public override object Create(SlimReader reader)
    {
        reader.Charge(128);
        return new StringDictionary();
    }

    public override void WriteBody(SlimWriter writer, object value)
    {
        KeyValuePair<string, string>[] entries = [.. ((StringDictionary)value).Cast<DictionaryEntry>()
            .Select(static e => KeyValuePair.Create((string)e.Key, (string)e.Value!))];
        writer.Doubts.Charge(80 + (entries.Length * (EntryBytes + Entries<string, string>.MemoryBytes)));
        Entries<string, string>.Write(writer, _sort is null ? entries : _sort(entries), _text, _text);
    }

    public override void ReadBody(SlimReader reader, object instance)
    {
        var entries = Entries<string, string>.Read(reader, _text, _text, EntryBytes);
        var map = (StringDictionary)instance;
        for (var i = 0; i < entries.Count; i++)
        {
            if (map.ContainsKey(entries.Keys[i]))
                Throw.Malformed("A key occurs twice in a dictionary.");
            map.Add(entries.Keys[i], entries.Values[i]);
        }
    }
}
