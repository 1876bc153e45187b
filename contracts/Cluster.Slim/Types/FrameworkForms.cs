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

namespace Cluster.Slim.Types;

/// <summary>The framework types that are carried, and the form of each. Names no codec: the table of codecs has one for
/// each type here. Immutable tables.</summary>
internal static class FrameworkForms
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

    private static readonly Dictionary<Type, FrameworkForm> Forms = FormsOf(
        (FrameworkForm.Fixed,
        [
            typeof(bool), typeof(decimal), typeof(DateTime), typeof(DateTimeOffset), typeof(DateOnly),
            typeof(TimeOnly), typeof(Rune), typeof(Index), typeof(Range), typeof(Complex),
        ]),
        (FrameworkForm.Value,
        [
            typeof(KeyValuePair<,>), typeof(BigInteger), typeof(Color), typeof(ImmutableArray<>),
            typeof(ArraySegment<>), typeof(ReadOnlySequence<>), typeof(Memory<>), typeof(ReadOnlyMemory<>),
            typeof(DictionaryEntry), typeof(IPNetwork), typeof(TimeZoneInfo.TransitionTime), typeof(JsonElement),
            typeof(SqlBinary), typeof(SqlString), typeof(SqlBoolean), typeof(SqlByte), typeof(SqlInt16),
            typeof(SqlInt32), typeof(SqlInt64), typeof(SqlSingle), typeof(SqlDouble), typeof(SqlGuid),
            typeof(SqlMoney), typeof(SqlDateTime), typeof(SqlDecimal),
        ]),
        (FrameworkForm.Leaf,
        [
            typeof(Version), typeof(Uri), typeof(IPAddress), typeof(IPEndPoint), typeof(CultureInfo),
            typeof(StringBuilder), typeof(BitArray), typeof(Encoding), typeof(TimeZoneInfo), typeof(Type),
            typeof(StringComparer), typeof(Comparer), typeof(CaseInsensitiveComparer),
            typeof(TimeZoneInfo.AdjustmentRule), typeof(CompareInfo), typeof(SortVersion), typeof(DnsEndPoint),
            typeof(HttpMethod), typeof(Cookie), typeof(SqlBytes), typeof(SqlChars), typeof(SqlXml),
            typeof(JsonDocument), typeof(JsonObject), typeof(JsonArray), typeof(JsonValue), typeof(XElement),
            typeof(XDocument), typeof(XName), typeof(XNamespace), typeof(XAttribute), typeof(XDeclaration),
        ]),
        (FrameworkForm.DefaultComparer, [typeof(EqualityComparer<>), typeof(Comparer<>)]),
        (FrameworkForm.Whole,
        [
            typeof(List<>), typeof(Dictionary<,>), typeof(Lazy<>), typeof(NameValueCollection),
            typeof(StringDictionary),
        ]),
        (FrameworkForm.Sequence,
        [
            typeof(HashSet<>), typeof(SortedSet<>), typeof(Queue<>), typeof(Stack<>), typeof(LinkedList<>),
            typeof(ConcurrentQueue<>), typeof(ConcurrentStack<>), typeof(ConcurrentBag<>), typeof(PriorityQueue<,>),
            typeof(ArrayList), typeof(Queue), typeof(Stack), typeof(StringCollection), typeof(Collection<>),
            typeof(ObservableCollection<>), typeof(BindingList<>), typeof(CookieCollection),
        ]),
        (FrameworkForm.Map,
        [
            typeof(SortedDictionary<,>), typeof(SortedList<,>), typeof(OrderedDictionary<,>), typeof(Hashtable),
            typeof(SortedList), typeof(ListDictionary), typeof(HybridDictionary), typeof(OrderedDictionary),
            typeof(ExpandoObject), typeof(ConcurrentDictionary<,>),
        ]),
        (FrameworkForm.Immutable,
        [
            typeof(ImmutableList<>), typeof(ImmutableHashSet<>), typeof(ImmutableQueue<>), typeof(ImmutableStack<>),
            typeof(ImmutableSortedSet<>), typeof(ImmutableSortedDictionary<,>), typeof(FrozenSet<>),
            typeof(FrozenDictionary<,>), typeof(ImmutableDictionary<,>),
        ]));

    private static readonly HashSet<Type> AbstractCarried =
    [
        typeof(Encoding), typeof(FrozenSet<>), typeof(FrozenDictionary<,>), typeof(StringComparer),
        typeof(EqualityComparer<>), typeof(Comparer<>), typeof(JsonValue),
    ];

    // For a framework type: the carried types that a place of it may hold, or that its objects contain.
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

    // The collection that a read-only collection shows, and the protected property that gives it.
    private static readonly Dictionary<Type, (Type Viewed, string Property)> Views = new()
    {
        [typeof(ReadOnlyCollection<>)] = (typeof(IList<>), "Items"),
        [typeof(ReadOnlyDictionary<,>)] = (typeof(IDictionary<,>), "Dictionary"),
        [typeof(ReadOnlyObservableCollection<>)] = (typeof(ObservableCollection<>), "Items"),
        [typeof(ReadOnlySet<>)] = (typeof(ISet<>), "Set"),
    };

    // The positions are part of the format.
    private static readonly Dictionary<Type, object[]> Singletons = new()
    {
        [typeof(DBNull)] = [DBNull.Value],
        [typeof(Missing)] = [Missing.Value],
        [typeof(EventArgs)] = [EventArgs.Empty],
        [typeof(ReferenceEqualityComparer)] = [ReferenceEqualityComparer.Instance],
    };

    /// <summary>The classes of which a process has a few well-known objects.</summary>
    public static IEnumerable<Type> SingletonTypes => Singletons.Keys;

    /// <summary>The types that a form has an entry for.</summary>
    public static IEnumerable<Type> Of(FrameworkForm form) =>
        Forms.Where(pair => pair.Value == form).Select(static pair => pair.Key);

    /// <summary>The well-known objects of a class by position, or null if the class has none.</summary>
    public static object[]? FindSingletons(Type type) => Singletons.GetValueOrDefault(type);

    /// <summary>The form of a type, or of its definition.</summary>
    public static FrameworkForm FormOf(Type type)
    {
        if (IsRaw(type))
            return FrameworkForm.Raw;
        if (VectorTypes.IsOfMachine(type))
            return FrameworkForm.MachineVector;
        if (Forms.TryGetValue(DefinitionOf(type), out var form))
            return form;
        if (Singletons.ContainsKey(type))
            return FrameworkForm.Singleton;
        if (DefinitionOf(type) == typeof(KeyedCollection<,>))
            return FrameworkForm.KeyedCollection;
        if (Views.ContainsKey(DefinitionOf(type)))
            return FrameworkForm.View;
        return IsTupleClass(type) ? FrameworkForm.Tuple : FrameworkForm.None;
    }

    /// <summary>Whether every value of the type has the same size and no references.</summary>
    public static bool IsFixed(Type type) => IsRaw(type) || Forms.GetValueOrDefault(type) == FrameworkForm.Fixed;

    /// <summary>Whether every pattern of bits is a value of the type.</summary>
    public static bool IsRaw(Type type) => type.IsEnum || Raw.Contains(type) || VectorTypes.IsFixed(type);

    /// <summary>The public type whose codec carries values of an internal framework type.</summary>
    public static Type CarriedTypeOf(Type type) =>
        typeof(Type).IsAssignableFrom(type) ? typeof(Type)
        : typeof(IPAddress).IsAssignableFrom(type) ? typeof(IPAddress)
        : AbstractOf(type) ?? CollectionExpressions.CarriedTypeOf(type) ?? type;

    /// <summary>The types that a framework type may hold in addition to its generic arguments.</summary>
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
        return FindView(type) is { } view ? [view.Viewed] : [];
    }

    /// <summary>Whether the type is a framework struct whose fields are all public, so that it is carried field by
    /// field like a user's struct.</summary>
    public static bool IsPublicFieldsStruct(Type type) =>
        type == typeof(ValueTuple) || (type.IsValueType && type.IsGenericType && typeof(ITuple).IsAssignableFrom(type)
            && type.FullName!.StartsWith("System.ValueTuple`", StringComparison.Ordinal));

    /// <summary>Whether values of a framework type are carried.</summary>
    public static bool IsCarried(Type type)
    {
        var carried = FormOf(CarriedTypeOf(type));
        return type == typeof(string) || type == typeof(object) || Nullable.GetUnderlyingType(type) is not null
            || IsPublicFieldsStruct(type) || typeof(Exception).IsAssignableFrom(type)
            || carried is FrameworkForm.Leaf or FrameworkForm.DefaultComparer
            || FormOf(type) is not (FrameworkForm.None or FrameworkForm.Leaf or FrameworkForm.DefaultComparer);
    }

    /// <summary>Whether Slim has a codec for the framework's part of user classes derived from the type.</summary>
    public static bool IsCarriedBase(Type type) =>
        typeof(Exception).IsAssignableFrom(type) || IsCollectionBase(type);

    /// <summary>The framework collection from which a user's class derives; else null.</summary>
    public static Type? BaseCollectionOf(Type type)
    {
        if (!type.IsClass || TypeRules.IsFramework(type))
            return null;
        var level = type.BaseType;
        while (level is not null && !TypeRules.IsFramework(level))
            level = level.BaseType;
        return level is not null && IsCollectionBase(level) ? level : null;
    }

    /// <summary>The abstract framework class whose codec carries the type, which the framework derives from it; else
    /// null.</summary>
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

    private static bool IsCollectionBase(Type type) => FormOf(type) switch
    {
        FrameworkForm.Whole => DefinitionOf(type) != typeof(Lazy<>),
        FrameworkForm.Map => type != typeof(HybridDictionary),
        FrameworkForm.Sequence or FrameworkForm.KeyedCollection or FrameworkForm.View => true,
        _ => false,
    };

    /// <summary>The collection that a read-only collection shows, or null for other types.</summary>
    public static (Type Viewed, string Property)? FindView(Type type) =>
        Views.TryGetValue(DefinitionOf(type), out var view)
            ? (view.Viewed.MakeGenericType(type.GetGenericArguments()), view.Property)
            : null;

    private static bool IsTupleClass(Type type) =>
        type.IsClass && type.IsGenericType && typeof(ITuple).IsAssignableFrom(type)
        && type.FullName!.StartsWith("System.Tuple`", StringComparison.Ordinal);

    private static Type DefinitionOf(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;

    private static Dictionary<Type, FrameworkForm> FormsOf(params (FrameworkForm Form, Type[] Types)[] rows) =>
        rows.SelectMany(static row => row.Types.Select(type => (type, row.Form)))
            .ToDictionary(static pair => pair.type, static pair => pair.Form);
}
