using System.Collections.Frozen;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Data.SqlTypes;
using System.Drawing;
using System.Dynamic;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Codecs.Arrays;
using Cluster.Slim.Codecs.Cultures;
using Cluster.Slim.Codecs.Documents;
using Cluster.Slim.Codecs.Immutable;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Codecs.Net;
using Cluster.Slim.Codecs.NonGeneric;
using Cluster.Slim.Codecs.ObjectModel;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Codecs.Sql;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Fields;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Registry;

/// <summary>The codec of each framework type that is carried: one row for each type in <see cref="FrameworkForms"/>,
/// and the serializers that the forms make of codecs. Immutable tables.</summary>
internal static class FrameworkCodecs
{
    private static readonly Dictionary<Type, Type> Codecs = new()
    {
        [typeof(bool)] = typeof(BooleanKind),
        [typeof(decimal)] = typeof(DecimalKind),
        [typeof(DateTime)] = typeof(DateTimeKindBits),
        [typeof(DateTimeOffset)] = typeof(DateTimeOffsetKind),
        [typeof(DateOnly)] = typeof(DateOnlyKind),
        [typeof(TimeOnly)] = typeof(TimeOnlyKind),
        [typeof(Rune)] = typeof(RuneKind),
        [typeof(Index)] = typeof(IndexKind),
        [typeof(Range)] = typeof(RangeKind),
        [typeof(Complex)] = typeof(ComplexKind),
        [typeof(KeyValuePair<,>)] = typeof(KeyValuePairFieldSerializer<,>),
        [typeof(BigInteger)] = typeof(BigIntegerFieldSerializer),
        [typeof(Color)] = typeof(ColorFieldSerializer),
        [typeof(ImmutableArray<>)] = typeof(ImmutableArrayFieldSerializer<>),
        [typeof(ArraySegment<>)] = typeof(ArraySegmentFieldSerializer<>),
        [typeof(ReadOnlySequence<>)] = typeof(ReadOnlySequenceFieldSerializer<>),
        [typeof(Memory<>)] = typeof(MemoryFieldSerializer<>),
        [typeof(ReadOnlyMemory<>)] = typeof(ReadOnlyMemoryFieldSerializer<>),
        [typeof(DictionaryEntry)] = typeof(DictionaryEntryFieldSerializer),
        [typeof(IPNetwork)] = typeof(ValueFieldSerializer<IPNetwork, IPNetworkCodec>),
        [typeof(TimeZoneInfo.TransitionTime)] =
            typeof(ValueFieldSerializer<TimeZoneInfo.TransitionTime, TransitionTimeCodec>),
        [typeof(JsonElement)] = typeof(ValueFieldSerializer<JsonElement, JsonElementCodec>),
        [typeof(SqlBinary)] = typeof(ValueFieldSerializer<SqlBinary, SqlBinaryCodec>),
        [typeof(SqlString)] = typeof(ValueFieldSerializer<SqlString, SqlStringCodec>),
        [typeof(SqlBoolean)] = typeof(SqlValueFieldSerializer<SqlBoolean, byte>),
        [typeof(SqlByte)] = typeof(SqlValueFieldSerializer<SqlByte, byte>),
        [typeof(SqlInt16)] = typeof(SqlValueFieldSerializer<SqlInt16, short>),
        [typeof(SqlInt32)] = typeof(SqlValueFieldSerializer<SqlInt32, int>),
        [typeof(SqlInt64)] = typeof(SqlValueFieldSerializer<SqlInt64, long>),
        [typeof(SqlSingle)] = typeof(SqlValueFieldSerializer<SqlSingle, float>),
        [typeof(SqlDouble)] = typeof(SqlValueFieldSerializer<SqlDouble, double>),
        [typeof(SqlGuid)] = typeof(SqlValueFieldSerializer<SqlGuid, Guid>),
        [typeof(SqlMoney)] = typeof(SqlValueFieldSerializer<SqlMoney, long>),
        [typeof(SqlDateTime)] = typeof(SqlValueFieldSerializer<SqlDateTime, long>),
        [typeof(SqlDecimal)] = typeof(SqlValueFieldSerializer<SqlDecimal, SqlDecimalParts>),
        [typeof(Version)] = typeof(VersionCodec),
        [typeof(Uri)] = typeof(UriCodec),
        [typeof(IPAddress)] = typeof(IPAddressCodec),
        [typeof(IPEndPoint)] = typeof(IPEndPointCodec),
        [typeof(CultureInfo)] = typeof(CultureCodec),
        [typeof(StringBuilder)] = typeof(StringBuilderCodec),
        [typeof(BitArray)] = typeof(BitArrayCodec),
        [typeof(Encoding)] = typeof(EncodingCodec),
        [typeof(TimeZoneInfo)] = typeof(TimeZoneCodec),
        [typeof(Type)] = typeof(TypeCodec),
        [typeof(StringComparer)] = typeof(StringComparerCodec),
        [typeof(Comparer)] = typeof(ObjectComparerCodec),
        [typeof(CaseInsensitiveComparer)] = typeof(CaseInsensitiveComparerCodec),
        [typeof(TimeZoneInfo.AdjustmentRule)] = typeof(AdjustmentRuleCodec),
        [typeof(CompareInfo)] = typeof(ComparisonCodec),
        [typeof(SortVersion)] = typeof(SortVersionCodec),
        [typeof(DnsEndPoint)] = typeof(DnsEndPointCodec),
        [typeof(HttpMethod)] = typeof(HttpMethodCodec),
        [typeof(Cookie)] = typeof(CookieCodec),
        [typeof(SqlBytes)] = typeof(SqlBytesCodec),
        [typeof(SqlChars)] = typeof(SqlCharsCodec),
        [typeof(SqlXml)] = typeof(SqlXmlCodec),
        [typeof(JsonDocument)] = typeof(JsonDocumentCodec),
        [typeof(JsonObject)] = typeof(JsonNodeCodec<JsonObject>),
        [typeof(JsonArray)] = typeof(JsonNodeCodec<JsonArray>),
        [typeof(JsonValue)] = typeof(JsonNodeCodec<JsonValue>),
        [typeof(XElement)] = typeof(XElementCodec),
        [typeof(XDocument)] = typeof(XDocumentCodec),
        [typeof(XName)] = typeof(XNameCodec),
        [typeof(XNamespace)] = typeof(XNamespaceCodec),
        [typeof(XAttribute)] = typeof(XAttributeCodec),
        [typeof(XDeclaration)] = typeof(XDeclarationCodec),
        [typeof(EqualityComparer<>)] = typeof(DefaultEqualityCodec<>),
        [typeof(Comparer<>)] = typeof(DefaultOrderCodec<>),
        [typeof(List<>)] = typeof(ListSerializer<>),
        [typeof(Dictionary<,>)] = typeof(DictionarySerializer<,>),
        [typeof(Lazy<>)] = typeof(LazySerializer<>),
        [typeof(NameValueCollection)] = typeof(NameValuesSerializer),
        [typeof(StringDictionary)] = typeof(StringDictionarySerializer),
        [typeof(HashSet<>)] = typeof(HashSetCodec<>),
        [typeof(SortedSet<>)] = typeof(SortedSetCodec<>),
        [typeof(Queue<>)] = typeof(QueueCodec<>),
        [typeof(Stack<>)] = typeof(StackCodec<>),
        [typeof(LinkedList<>)] = typeof(LinkedListCodec<>),
        [typeof(ConcurrentQueue<>)] = typeof(ConcurrentQueueCodec<>),
        [typeof(ConcurrentStack<>)] = typeof(ConcurrentStackCodec<>),
        [typeof(ConcurrentBag<>)] = typeof(ConcurrentBagCodec<>),
        [typeof(PriorityQueue<,>)] = typeof(PriorityQueueCodec<,>),
        [typeof(ArrayList)] = typeof(ArrayListCodec),
        [typeof(Queue)] = typeof(ObjectQueueCodec),
        [typeof(Stack)] = typeof(ObjectStackCodec),
        [typeof(StringCollection)] = typeof(StringCollectionCodec),
        [typeof(Collection<>)] = typeof(CollectionCodec<>),
        [typeof(ObservableCollection<>)] = typeof(ObservableCollectionCodec<>),
        [typeof(BindingList<>)] = typeof(BindingListCodec<>),
        [typeof(CookieCollection)] = typeof(CookieCollectionCodec),
        [typeof(SortedDictionary<,>)] = typeof(SortedDictionaryCodec<,>),
        [typeof(SortedList<,>)] = typeof(SortedListCodec<,>),
        [typeof(OrderedDictionary<,>)] = typeof(OrderedDictionaryCodec<,>),
        [typeof(Hashtable)] = typeof(HashtableCodec),
        [typeof(SortedList)] = typeof(ObjectSortedListCodec),
        [typeof(ListDictionary)] = typeof(ListDictionaryCodec),
        [typeof(HybridDictionary)] = typeof(HybridDictionaryCodec),
        [typeof(OrderedDictionary)] = typeof(ObjectOrderedDictionaryCodec),
        [typeof(ExpandoObject)] = typeof(ExpandoCodec),
        [typeof(ConcurrentDictionary<,>)] = typeof(ConcurrentDictionaryCodec<,>),
        [typeof(ImmutableList<>)] = typeof(ImmutableListCodec<>),
        [typeof(ImmutableHashSet<>)] = typeof(ImmutableHashSetCodec<>),
        [typeof(ImmutableQueue<>)] = typeof(ImmutableQueueCodec<>),
        [typeof(ImmutableStack<>)] = typeof(ImmutableStackCodec<>),
        [typeof(ImmutableSortedSet<>)] = typeof(ImmutableSortedSetCodec<>),
        [typeof(ImmutableSortedDictionary<,>)] = typeof(ImmutableSortedDictionaryCodec<,>),
        [typeof(FrozenSet<>)] = typeof(FrozenSetCodec<>),
        [typeof(FrozenDictionary<,>)] = typeof(FrozenDictionaryCodec<,>),
        [typeof(ImmutableDictionary<,>)] = typeof(ImmutableDictionaryCodec<,>),
    };

    /// <summary>The types that have a row.</summary>
    public static IReadOnlyCollection<Type> Types => Codecs.Keys;

    public static Type? FindFixedKind(Type type) => FrameworkForms.FormOf(type) switch
    {
        FrameworkForm.Raw => typeof(RawKind<>).MakeGenericType(type),
        FrameworkForm.Fixed => Codecs[type],
        _ => null,
    };

    public static Type? FindFieldSerializer(Type type) => FrameworkForms.FormOf(type) switch
    {
        FrameworkForm.MachineVector => typeof(VectorFieldSerializer<>),
        FrameworkForm.Value => CodecOf(type),
        _ => null,
    };

    /// <summary>Creates the type serializer of a framework class; null when the class has none.</summary>
    public static TypeSerializer? NewSerializer(Type type, SerializerSource source)
    {
        if (type == typeof(object))
            return new BareObjectSerializer();
        var arguments = type.IsGenericType ? type.GetGenericArguments() : [];
        return FrameworkForms.FormOf(type) switch
        {
            FrameworkForm.Singleton => new SingletonSerializer(type),
            FrameworkForm.DefaultComparer or FrameworkForm.Leaf =>
                New(typeof(LeafSerializer<,>), [type, Close(CodecOf(type), arguments)]),
            FrameworkForm.Whole => New(CodecOf(type), arguments, source),
            FrameworkForm.Sequence => NewSequence(type, Close(CodecOf(type), arguments), source),
            FrameworkForm.Map => NewMap(Close(CodecOf(type), arguments), source),
            FrameworkForm.Immutable => NewImmutable(type, Close(CodecOf(type), arguments), source),
            FrameworkForm.KeyedCollection => New(typeof(KeyedCollectionSerializer<,>), arguments, source),
            FrameworkForm.View => NewView(type, source),
            FrameworkForm.Tuple => new TupleSerializer(type, source),
            _ => null,
        };
    }

    private static TypeSerializer NewSequence(Type type, Type codec, SerializerSource source) => New(
        typeof(SequenceSerializer<,,>), [type, codec.GetInterfaces()[0].GetGenericArguments()[1], codec], source);

    private static TypeSerializer NewMap(Type codec, SerializerSource source) =>
        New(typeof(MapSerializer<,,>), codec.GetInterfaces()[0].GetGenericArguments(), Make(codec), source);

    private static TypeSerializer NewImmutable(Type type, Type codec, SerializerSource source) =>
        New(typeof(ImmutableSerializer<,>), [type, ItemOf(type.GetGenericArguments())], Make(codec), source);

    private static TypeSerializer NewView(Type type, SerializerSource source)
    {
        (var viewed, var property) = FrameworkForms.FindView(type)!.Value;
        return New(typeof(ReadOnlyViewSerializer<,>), [type, viewed], property, source);
    }

    private static Type ItemOf(Type[] arguments) =>
        arguments.Length == 1 ? arguments[0] : typeof(KeyValuePair<,>).MakeGenericType(arguments);

    private static Type CodecOf(Type type) => Codecs[type.IsGenericType ? type.GetGenericTypeDefinition() : type];

    private static Type Close(Type open, Type[] arguments) =>
        open.IsGenericTypeDefinition ? open.MakeGenericType(arguments) : open;

    private static object Make(Type type) => Activator.CreateInstance(type)!;

    private static TypeSerializer New(Type open, Type[] arguments, params object[] values) =>
        (TypeSerializer)Activations.New(open, arguments, values);
}
