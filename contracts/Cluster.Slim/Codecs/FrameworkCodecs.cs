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
using Cluster.Slim.Codecs.Documents;
using Cluster.Slim.Codecs.Exceptions;
using Cluster.Slim.Codecs.Immutable;
using Cluster.Slim.Codecs.Keys;
using Cluster.Slim.Codecs.Maps;
using Cluster.Slim.Codecs.Net;
using Cluster.Slim.Codecs.NonGeneric;
using Cluster.Slim.Codecs.ObjectModel;
using Cluster.Slim.Codecs.Sequences;
using Cluster.Slim.Codecs.Sql;
using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Plans;
using Cluster.Slim.Plans.Fixed;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs;

/// <summary>Which framework types are carried, and by which plan, slot or fixed form. Immutable tables.</summary>
internal static class FrameworkCodecs
{
    private static readonly HashSet<Type> Raw =
    [
        typeof(byte), typeof(sbyte), typeof(char), typeof(short), typeof(ushort), typeof(int), typeof(uint),
        typeof(long), typeof(ulong), typeof(Int128), typeof(UInt128), typeof(Half), typeof(float), typeof(double),
        typeof(TimeSpan), typeof(Guid), typeof(Vector2), typeof(Vector3), typeof(Vector4), typeof(Quaternion),
        typeof(Matrix3x2), typeof(Matrix4x4), typeof(Plane),
        typeof(Point), typeof(PointF), typeof(Size), typeof(SizeF), typeof(Rectangle), typeof(RectangleF),
        typeof(BitVector32), typeof(BitVector32.Section),
    ];

    private static readonly Dictionary<Type, Type> FixedKinds = new()
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
    };

    private static readonly Dictionary<Type, Type> Slots = new()
    {
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
    };

    private static readonly Dictionary<Type, Type> Leaves = new()
    {
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
    };

    private static readonly HashSet<Type> AbstractCarried =
    [
        typeof(Encoding), typeof(FrozenSet<>), typeof(FrozenDictionary<,>), typeof(StringComparer),
        typeof(EqualityComparer<>), typeof(Comparer<>), typeof(JsonValue),
    ];

    // Classes of the framework that places are declared as, and what of them is carried.
    private static readonly Dictionary<Type, Type[]> Derived = new()
    {
        [typeof(JsonNode)] = [typeof(JsonObject), typeof(JsonArray), typeof(JsonValue)],
        [typeof(XObject)] = [typeof(XElement), typeof(XDocument), typeof(XAttribute)],
        [typeof(XNode)] = [typeof(XElement), typeof(XDocument)],
        [typeof(XContainer)] = [typeof(XElement), typeof(XDocument)],
        [typeof(EndPoint)] = [typeof(DnsEndPoint)],
        [typeof(DictionaryEntry)] = [typeof(object)],
        [typeof(CookieCollection)] = [typeof(Cookie)],
    };

    private static readonly Dictionary<Type, Type> DefaultComparers = new()
    {
        [typeof(EqualityComparer<>)] = typeof(DefaultEqualityCodec<>),
        [typeof(Comparer<>)] = typeof(DefaultOrderCodec<>),
    };

    private static readonly Dictionary<Type, Type> Plans = new()
    {
        [typeof(List<>)] = typeof(ListPlan<>),
        [typeof(Dictionary<,>)] = typeof(DictionaryPlan<,>),
        [typeof(Lazy<>)] = typeof(LazyPlan<>),
        [typeof(NameValueCollection)] = typeof(NameValuesPlan),
        [typeof(StringDictionary)] = typeof(StringDictionaryPlan),
    };

    private static readonly Dictionary<Type, Type> Sequences = new()
    {
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
    };

    private static readonly Dictionary<Type, Type> Maps = new()
    {
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
    };

    private static readonly Dictionary<Type, Type> Immutables = new()
    {
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

    // What a read-only collection shows, and the property that shows it to derived classes.
    private static readonly Dictionary<Type, (Type Viewed, string Property)> Views = new()
    {
        [typeof(ReadOnlyCollection<>)] = (typeof(IList<>), "Items"),
        [typeof(ReadOnlyDictionary<,>)] = (typeof(IDictionary<,>), "Dictionary"),
        [typeof(ReadOnlyObservableCollection<>)] = (typeof(ObservableCollection<>), "Items"),
        [typeof(ReadOnlySet<>)] = (typeof(ISet<>), "Set"),
    };

    public static Type? FindFixedKind(Type type)
    {
        if (FixedKinds.TryGetValue(type, out var kind))
            return kind;
        return type.IsEnum || Raw.Contains(type) || VectorTypes.IsFixed(type)
            ? typeof(RawKind<>).MakeGenericType(type)
            : null;
    }

    public static Type? FindSlot(Type type) =>
        VectorTypes.IsOfMachine(type) ? typeof(VectorSlot<>) : Slots.GetValueOrDefault(DefinitionOf(type));

    /// <summary>Makes the plan of a framework class, or returns null when there is none.</summary>
    public static ObjectPlan? NewPlan(Type type, SlotSource slots)
    {
        var definition = DefinitionOf(type);
        var arguments = type.IsGenericType ? type.GetGenericArguments() : [];
        if (type == typeof(object))
            return new BareObjectPlan();
        if (SingletonPlan.Has(type))
            return new SingletonPlan(type);
        if (DefaultComparers.TryGetValue(definition, out var ofDefault))
            return New(typeof(LeafPlan<,>), [type, Close(ofDefault, arguments)]);
        if (Leaves.TryGetValue(type, out var leaf))
            return New(typeof(LeafPlan<,>), [type, leaf]);
        if (Plans.TryGetValue(definition, out var plan))
            return New(plan, arguments, slots);
        if (Sequences.TryGetValue(definition, out var sequence))
        {
            var codec = Close(sequence, arguments);
            var item = codec.GetInterfaces()[0].GetGenericArguments()[1];
            return New(typeof(SequencePlan<,,>), [type, item, codec], slots);
        }

        if (Maps.TryGetValue(definition, out var map))
        {
            var codec = Close(map, arguments);
            return New(typeof(MapPlan<,,>), codec.GetInterfaces()[0].GetGenericArguments(), Make(codec), slots);
        }

        if (Immutables.TryGetValue(definition, out var immutable))
        {
            var codec = Make(Close(immutable, arguments));
            return New(typeof(ImmutablePlan<,>), [type, ItemOf(arguments)], codec, slots);
        }

        if (definition == typeof(KeyedCollection<,>))
            return New(typeof(KeyedCollectionPlan<,>), arguments, slots);
        if (ViewedOf(type) is { } viewed)
            return New(typeof(ReadOnlyViewPlan<,>), [type, viewed], Views[definition].Property, slots);

        return IsTupleClass(type) ? new TuplePlan(type, slots) : null;
    }

    /// <summary>What else a framework type may hold, beside its generic arguments.</summary>
    public static IEnumerable<Type> ExtraPartsOf(Type type)
    {
        var definition = DefinitionOf(type);
        if (Derived.TryGetValue(type, out var derived))
            return derived;
        if (definition == typeof(ImmutableArray<>) || definition == typeof(ArraySegment<>)
            || definition == typeof(ReadOnlySequence<>)
            || definition == typeof(Memory<>) || definition == typeof(ReadOnlyMemory<>))
            return [type.GetGenericArguments()[0].MakeArrayType()];
        if (typeof(Exception).IsAssignableFrom(type))
            return [typeof(Exception[]), .. FrameworkExceptions.All];
        if (BaseCollectionOf(type) is { } collection)
            return [.. collection.GetGenericArguments(), .. ExtraPartsOf(collection)];
        return ViewedOf(type) is { } viewed ? [viewed] : [];
    }

    /// <summary>Framework structs whose fields are all public and can be carried like fields of a user's
    /// struct.</summary>
    public static bool IsPublicFieldsStruct(Type type) =>
        type == typeof(ValueTuple) || (type.IsValueType && type.IsGenericType && typeof(ITuple).IsAssignableFrom(type)
            && type.FullName!.StartsWith("System.ValueTuple`", StringComparison.Ordinal));

    public static bool IsCarried(Type type)
    {
        var definition = DefinitionOf(type);
        return type == typeof(string) || type == typeof(object) || Nullable.GetUnderlyingType(type) is not null
            || IsPublicFieldsStruct(type) || IsTupleClass(type) || FindFixedKind(type) is not null
            || Leaves.ContainsKey(PlanFactory.CarriedTypeOf(type)) || SingletonPlan.Has(type)
            || DefaultComparers.ContainsKey(DefinitionOf(PlanFactory.CarriedTypeOf(type)))
            || FindSlot(type) is not null || Plans.ContainsKey(definition) || Sequences.ContainsKey(definition)
            || Maps.ContainsKey(definition) || Immutables.ContainsKey(definition) || ViewedOf(type) is not null
            || typeof(Exception).IsAssignableFrom(type);
    }

    /// <summary>Framework classes whose part of a derived user class has a codec.</summary>
    public static bool IsCarriedBase(Type type) =>
        typeof(Exception).IsAssignableFrom(type) || IsCollectionBase(type);

    /// <summary>The framework collection from which a user's class derives.</summary>
    public static Type? BaseCollectionOf(Type type)
    {
        if (!type.IsClass || TypeRules.IsFramework(type))
            return null;
        var level = type.BaseType;
        while (level is not null && !TypeRules.IsFramework(level))
            level = level.BaseType;
        return level is not null && IsCollectionBase(level) ? level : null;
    }

    /// <summary>The abstract framework class whose codec carries all the classes derived from it there.</summary>
    public static Type? AbstractOf(Type type)
    {
        for (var level = type; level is not null && TypeRules.IsFramework(level); level = level.BaseType)
        {
            if (level.IsAbstract && !level.IsInterface
                && AbstractCarried.Contains(DefinitionOf(level)))
                return level;
        }

        return typeof(Encoding).IsAssignableFrom(type) && TypeRules.IsFramework(type) ? typeof(Encoding) : null;
    }

    private static bool IsCollectionBase(Type type)
    {
        var definition = DefinitionOf(type);
        return (Plans.ContainsKey(definition) && definition != typeof(Lazy<>)) || Sequences.ContainsKey(definition)
            || (Maps.ContainsKey(definition) && definition != typeof(HybridDictionary))
            || definition == typeof(KeyedCollection<,>) || ViewedOf(type) is not null;
    }

    private static Type? ViewedOf(Type type) => Views.TryGetValue(DefinitionOf(type), out (Type Viewed, string) view)
        ? view.Viewed.MakeGenericType(type.GetGenericArguments())
        : null;

    private static bool IsTupleClass(Type type) =>
        type.IsClass && type.IsGenericType && typeof(ITuple).IsAssignableFrom(type)
        && type.FullName!.StartsWith("System.Tuple`", StringComparison.Ordinal);

    private static Type ItemOf(Type[] arguments) =>
        arguments.Length == 1 ? arguments[0] : typeof(KeyValuePair<,>).MakeGenericType(arguments);

    private static Type DefinitionOf(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private static Type Close(Type open, Type[] arguments) =>
        open.IsGenericTypeDefinition ? open.MakeGenericType(arguments) : open;

    private static object Make(Type type) => Activator.CreateInstance(type)!;

    private static ObjectPlan New(Type open, Type[] arguments, params object[] values) =>
        (ObjectPlan)Activations.New(open, arguments, values);
}
