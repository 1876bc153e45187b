using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The types that graphs below one root may contain, with the serializers of the types met so far. The derived
/// closed list decides about other types. Safe for many threads.</summary>
internal abstract class AdmittedTypes(Type root, ProcessTypes processTypes)
{
    private const int RecentCount = 64;

    private readonly ConcurrentDictionary<Type, TypeSerializer> _serializers = new();

    // A cache in front of the dictionary, by address of the type. An entry is never replaced, so that two types in one
    // place do not make threads write to the same memory again and again.
    private readonly TypeSerializer?[] _recent = new TypeSerializer?[RecentCount];
    private readonly ConcurrentDictionary<Type, FieldSerializer> _fieldSerializers = new();
    private readonly TypeSerializer?[] _byCode = new TypeSerializer?[ObjectTags.TypeTableFirst];

    public Type Root => root;

    /// <summary>Whether objects in places of the root type belong to the host.</summary>
    public bool IsRootExternal { get; protected init; }

    /// <summary>Whether messages name types by the integers of one serializer.</summary>
    public bool IsInProcess { get; protected init; }

    /// <summary>The integers by which messages of the in-process profile name types.</summary>
    public ProcessTypes ProcessTypes => processTypes;

    /// <summary>The serializer of an admitted type. Refuses other types; the error has the line of code to
    /// add.</summary>
    public TypeSerializer SerializerOf(Type type) =>
        _serializers.TryGetValue(type, out var serializer) ? serializer : Add(type);

    /// <summary>The serializer of the type of an object.</summary>
    public TypeSerializer SerializerOf(object value)
    {
        var type = value.GetType();
        var handle = type.TypeHandle.Value;
        var recent = _recent;
        var at = (int)((handle >> 4) ^ (handle >> 10)) & (RecentCount - 1);
        return recent[at] is { } serializer && ReferenceEquals(serializer.Type, type)
            ? serializer
            : FindRecent(type, at);
    }

    /// <summary>The serializer of a type that the format knows by its code; such types are on every list.</summary>
    public TypeSerializer SerializerOfCode(uint code) => _byCode[code] ?? (_byCode[code] = AdmitCode(code));

    /// <summary>The field serializer for a declared type that a user codec names.</summary>
    public FieldSerializer<T> FieldSerializerOf<T>()
    {
        if (_fieldSerializers.TryGetValue(typeof(T), out var known))
            return Unsafe.As<FieldSerializer<T>>(known);
        var serializer = NewFieldSerializer<T>();
        _fieldSerializers.TryAdd(typeof(T), serializer);
        return serializer;
    }

    /// <summary>The serializer that reads values of the layout; refuses types that are not on the list.</summary>
    public abstract TypeSerializer SerializerOf(TypeLayout layout);

    /// <summary>The serializer that reads values of a described type; refuses types that are not on the list.</summary>
    public abstract TypeSerializer SerializerOf(DescribedType described, SlimReader? reader);

    /// <summary>The layout of a described type, whether or not the list admits the type.</summary>
    public abstract TypeLayout LayoutOf(DescribedType described, SlimReader? reader);

    /// <summary>The layout of a type of this process.</summary>
    public abstract TypeLayout LayoutOf(Type type);

    /// <summary>The layout of a type that the format knows by its code.</summary>
    public abstract TypeLayout LayoutOfCode(uint code);

    /// <summary>The serializer that reads in-process messages of an earlier process, whose type has other fields
    /// now.</summary>
    public abstract TypeSerializer SerializerOfRestored(uint number);

    /// <summary>The layout of a type in in-process messages of an earlier process, also where this process does not
    /// have the type.</summary>
    public abstract TypeLayout LayoutOfRestored(uint number);

    /// <summary>The serializer of the type with this name in messages, or null.</summary>
    public abstract TypeSerializer? FindByName(string name);

    /// <summary>The error for a message with the name of a type that this process does not have.</summary>
    public abstract SlimTypeNotAllowedException Unknown(string name);

    /// <summary>Decides about a type. The serializer may be that of another type, by which values of this type are
    /// carried.</summary>
    protected abstract TypeSerializer Admit(Type type);

    protected abstract TypeSerializer AdmitCode(uint code);

    protected abstract FieldSerializer<T> NewFieldSerializer<T>();

    private TypeSerializer Add(Type type)
    {
        var serializer = Admit(type);
        return _serializers.GetOrAdd(serializer.Type, serializer);
    }

    private TypeSerializer FindRecent(Type type, int at)
    {
        var serializer = SerializerOf(type);
        if (ReferenceEquals(serializer.Type, type))
            _recent[at] ??= serializer;
        return serializer;
    }
}
