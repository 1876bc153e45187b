using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The types that graphs below one root may contain, with the serializers of those that were met. What is not
/// known yet is decided by the closed list that derives from it. Safe for many threads.</summary>
internal abstract class AdmittedTypes(Type root, ProcessTypes processTypes)
{
    private const int RecentCount = 64;

    private readonly ConcurrentDictionary<Type, TypeSerializer> _serializers = new();

    // In front of the dictionary, by address of the type. An entry stays once it is made, so that two types in one
    // place do not make threads write to the same memory again and again.
    private readonly TypeSerializer?[] _recent = new TypeSerializer?[RecentCount];
    private readonly ConcurrentDictionary<Type, FieldSerializer> _fieldSerializers = new();
    private readonly TypeSerializer?[] _byCode = new TypeSerializer?[ObjectTags.TypeTableFirst];

    public Type Root => root;

    /// <summary>Whether objects in places of the root type are the host's.</summary>
    public bool IsRootExternal { get; protected init; }

    /// <summary>Whether messages name types by the integers of one serializer.</summary>
    public bool IsInProcess { get; protected init; }

    /// <summary>The integers by which messages of the in-process profile name types.</summary>
    public ProcessTypes ProcessTypes => processTypes;

    /// <summary>The serializer of an admitted type; refuses others with the line of code to add.</summary>
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

    /// <summary>The serializer of a type that the format knows by its code; these are on every list.</summary>
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

    /// <summary>The serializer that reads what was written by the layout; refuses types that are not on the
    /// list.</summary>
    public abstract TypeSerializer SerializerOf(TypeLayout layout);

    /// <summary>The serializer that reads what a message described; refuses types that are not on the list.</summary>
    public abstract TypeSerializer SerializerOf(DescribedType described, SlimReader? reader);

    /// <summary>How values of a type that a message described lie in it, whether or not the list admits the
    /// type.</summary>
    public abstract TypeLayout LayoutOf(DescribedType described, SlimReader? reader);

    /// <summary>How values of a type of this process lie in messages.</summary>
    public abstract TypeLayout LayoutOf(Type type);

    /// <summary>The layout of a type that the format knows by its code.</summary>
    public abstract TypeLayout LayoutOfCode(uint code);

    /// <summary>The serializer that reads in-process messages from before, whose type has other fields by
    /// now.</summary>
    public abstract TypeSerializer SerializerOfRestored(uint number);

    /// <summary>The layout of a type of in-process messages from before, also where the type is not to be
    /// had.</summary>
    public abstract TypeLayout LayoutOfRestored(uint number);

    /// <summary>The serializer of the type that a message calls by this name, or null.</summary>
    public abstract TypeSerializer? FindByName(string name);

    /// <summary>The error of a message that names a type that is not to be had.</summary>
    public abstract SlimTypeNotAllowedException Unknown(string name);

    /// <summary>Decides about a type. The serializer may be that of another type, by which values of this one are
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
