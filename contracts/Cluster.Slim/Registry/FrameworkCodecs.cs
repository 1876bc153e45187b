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

/// <summary>The codec of each framework type that is carried: one row for each type that <see cref="FrameworkForms"/>
/// names, and how the forms make serializers of codecs. Immutable tables.</summary>
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
        [typeof(KeyValuePair<,>)] = typeof(KeyValuePairSlot<,>),
        [typeof(BigInteger)] = typeof(BigIntegerSlot),
        [typeof(Color)] = typeof(ColorSlot),
        [typeof(ImmutableArray<>)] = typeof(ImmutableArraySlot<>),
        [typeof(ArraySegment<>)] = typeof(ArraySegmentSlot<>),
        [typeof(ReadOnlySequence<>)] = typeof(ReadOnlySequenceSlot<>),
        [typeof(Memory<>)] = typeof(MemorySlot<>),
        [typeof(ReadOnlyMemory<>)] = typeof(ReadOnlyMemorySlot<>),
        [typeof(DictionaryEntry)] = typeof(DictionaryEntrySlot),
        [typeof(IPNetwork)] = typeof(ValueSlot<IPNetwork, IPNetworkCodec>),
        [typeof(TimeZoneInfo.TransitionTime)] = typeof(ValueSlot<TimeZoneInfo.TransitionTime, TransitionTimeCodec>),
        [typeof(JsonElement)] = typeof(ValueSlot<JsonElement, JsonElementCodec>),
        [typeof(SqlBinary)] = typeof(ValueSlot<SqlBinary, SqlBinaryCodec>),
        [typeof(SqlString)] = typeof(ValueSlot<SqlString, SqlStringCodec>),
        [typeof(SqlBoolean)] = typeof(SqlValueSlot<SqlBoolean, byte>),
        [typeof(SqlByte)] = typeof(SqlValueSlot<SqlByte, byte>),
        [typeof(SqlInt16)] = typeof(SqlValueSlot<SqlInt16, short>),
        [typeof(SqlInt32)] = typeof(SqlValueSlot<SqlInt32, int>),
        [typeof(SqlInt64)] = typeof(SqlValueSlot<SqlInt64, long>),
        [typeof(SqlSingle)] = typeof(SqlValueSlot<SqlSingle, float>),
        [typeof(SqlDouble)] = typeof(SqlValueSlot<SqlDouble, double>),
        [typeof(SqlGuid)] = typeof(SqlValueSlot<SqlGuid, Guid>),
        [typeof(SqlMoney)] = typeof(SqlValueSlot<SqlMoney, long>),
        [typeof(SqlDateTime)] = typeof(SqlValueSlot<SqlDateTime, long>),
        [typeof(SqlDecimal)] = typeof(SqlValueSlot<SqlDecimal, SqlDecimalParts>),
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
        [typeof(List<>)] = typeof(ListPlan<>),
        [typeof(Dictionary<,>)] = typeof(DictionaryPlan<,>),
        [typeof(Lazy<>)] = typeof(LazyPlan<>),
        [typeof(NameValueCollection)] = typeof(NameValuesPlan),
        [typeof(StringDictionary)] = typeof(StringDictionaryPlan),
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

    public static Type? FindSlot(Type type) => FrameworkForms.FormOf(type) switch
    {
        FrameworkForm.MachineVector => typeof(VectorSlot<>),
        FrameworkForm.Value => CodecOf(type),
        _ => null,
    };

    /// <summary>Makes the plan of a framework class, or returns null when there is none.</summary>
    public static ObjectPlan? NewPlan(Type type, SlotSource slots)
    {
        if (type == typeof(object))
            return new BareObjectPlan();
        var arguments = type.IsGenericType ? type.GetGenericArguments() : [];
        return FrameworkForms.FormOf(type) switch
        {
            FrameworkForm.Singleton => new SingletonPlan(type),
            FrameworkForm.DefaultComparer or FrameworkForm.Leaf =>
                New(typeof(LeafPlan<,>), [type, Close(CodecOf(type), arguments)]),
            FrameworkForm.Whole => New(CodecOf(type), arguments, slots),
            FrameworkForm.Sequence => NewSequence(type, Close(CodecOf(type), arguments), slots),
            FrameworkForm.Map => NewMap(Close(CodecOf(type), arguments), slots),
            FrameworkForm.Immutable => New(
                typeof(ImmutablePlan<,>), [type, ItemOf(arguments)], Make(Close(CodecOf(type), arguments)), slots),
            FrameworkForm.KeyedCollection => New(typeof(KeyedCollectionPlan<,>), arguments, slots),
            FrameworkForm.View => NewView(type, slots),
            FrameworkForm.Tuple => new TuplePlan(type, slots),
            _ => null,
        };
    }

    private static ObjectPlan NewSequence(Type type, Type codec, SlotSource slots) => New(
        typeof(SequencePlan<,,>), [type, codec.GetInterfaces()[0].GetGenericArguments()[1], codec], slots);

    private static ObjectPlan NewMap(Type codec, SlotSource slots) =>
        New(typeof(MapPlan<,,>), codec.GetInterfaces()[0].GetGenericArguments(), Make(codec), slots);

    private static ObjectPlan NewView(Type type, SlotSource slots)
    {
        (var viewed, var property) = FrameworkForms.FindView(type)!.Value;
        return New(typeof(ReadOnlyViewPlan<,>), [type, viewed], property, slots);
    }

    private static Type ItemOf(Type[] arguments) =>
        arguments.Length == 1 ? arguments[0] : typeof(KeyValuePair<,>).MakeGenericType(arguments);

    private static Type CodecOf(Type type) => Codecs[type.IsGenericType ? type.GetGenericTypeDefinition() : type];

    private static Type Close(Type open, Type[] arguments) =>
        open.IsGenericTypeDefinition ? open.MakeGenericType(arguments) : open;

    private static object Make(Type type) => Activator.CreateInstance(type)!;

    private static ObjectPlan New(Type open, Type[] arguments, params object[] values) =>
        (ObjectPlan)Activations.New(open, arguments, values);
}
