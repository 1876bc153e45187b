using Cluster.Slim.Messages;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim;

/// <summary>What a <see cref="SlimSerializer"/> may carry and at what cost. Set up by one thread; the serializer takes
/// a frozen copy, later changes have no effect on it.</summary>
public sealed class SlimOptions
{
    private readonly HashSet<Type> _types = [];
    private readonly HashSet<Assembly> _assemblies = [];
    private readonly List<Func<Type, bool>> _predicates = [];
    private readonly Dictionary<Type, object> _codecs = [];
    private readonly List<(string OldName, Type Type)> _aliases = [];
    private readonly HashSet<Type> _callbackTypes = [];
    private readonly HashSet<Type> _methodTypes = [];
    private readonly List<(Type Type, string OldName, string Member)> _memberAliases = [];

    /// <summary>What the bytes are trusted to be.</summary>
    /// <value><see cref="SlimProfile.Contract"/>.</value>
    public SlimProfile Profile { get; set; }

    /// <summary>How written messages name types. Ignored by <see cref="SlimProfile.InProcess"/>.</summary>
    /// <value><see cref="SlimSchema.Full"/>.</value>
    public SlimSchema Schema { get; set; }

    /// <summary>What readers do with a type whose fields are not those of the writer.</summary>
    /// <value><see cref="SlimVersioning.Tolerant"/>.</value>
    public SlimVersioning Versioning { get; set; }

    /// <summary>Whether dictionaries and sets without an order of their own are written by key instead of as
    /// enumerated, so that equal content gives equal bytes. Keys that are neither text nor primitive are refused then.
    /// Readers do not care.</summary>
    /// <value><see langword="false"/>.</value>
    public bool Canonical { get; set; }

    /// <summary>Whether writers call types that have an alias what they were called before the first rename, so that
    /// readers of before understand them; readers with the alias do, too. Has no effect on readers.</summary>
    /// <value><see langword="false"/>: what they are called today.</value>
    public bool WriteOldNames { get; set; }

    /// <summary>Finds a type by the name that a message gives it, where the list does not have it: full name, then for
    /// types outside the framework a comma and the simple assembly name; generic arguments in brackets, separated by
    /// semicolons. Null refuses the name. Only for <see cref="SlimProfile.Trusted"/>; a serializer of another profile
    /// is not made with one. Every type it returns is checked like any other: what is on the deny list stays refused,
    /// and so do callbacks and delegates without their own opt-in. Not asked for messages without names
    /// (<see cref="SlimSchema.Known"/>). Used by many threads at once. It may give one serializer 4,096 types; then
    /// names beyond those met are a <see cref="SlimLimitException"/>.</summary>
    /// <value><see langword="null"/>: names lead only to types that the serializer has met.</value>
    public Func<string, Type?>? TypeResolver { get; set; }

    /// <summary>What one message may cost.</summary>
    public SlimLimits Limits { get; set; } = new();

    /// <summary>Adds the type, and what its fields reach, to the closed list.</summary>
    /// <typeparam name="T">A class, struct, array or closed generic type.</typeparam>
    public SlimOptions Allow<T>() => Allow(typeof(T));

    /// <summary>Adds the type, and what its fields reach, to the closed list. Types of one name from several load
    /// contexts do not go together: no serializer is made with them, except of the profile
    /// <see cref="SlimProfile.InProcess"/>.</summary>
    /// <param name="type">A class, struct, array or closed generic type.</param>
    public SlimOptions Allow(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        TypeRules.ThrowIfWithoutValues(type, nameof(type));
        _types.Add(type);
        return this;
    }

    /// <summary>Adds every concrete, non-generic type of the assembly that declares the type.</summary>
    /// <typeparam name="T">A type of an assembly that is not part of the framework.</typeparam>
    public SlimOptions AllowAssemblyOf<T>()
    {
        if (TypeRules.IsFramework(typeof(T)))
            throw new ArgumentException($"{typeof(T)} belongs to the framework; its assemblies cannot be allowed.");
        _assemblies.Add(typeof(T).Assembly);
        return this;
    }

    /// <summary>Adds the types that satisfy the predicate among the assemblies of the root type, of its fields and of
    /// allowed types. The predicate must be free of side effects; it never sees framework types.</summary>
    /// <param name="predicate">Says whether the type is on the closed list.</param>
    public SlimOptions AllowWhere(Func<Type, bool> predicate)
    {
        ArgumentNullException.ThrowIfNull(predicate);
        _predicates.Add(predicate);
        return this;
    }

    /// <summary>Carries values of exactly this type by the codec, and puts the type on the closed list.</summary>
    /// <typeparam name="T">A concrete class or struct.</typeparam>
    /// <param name="codec">The codec; used by many threads at once.</param>
    public SlimOptions AddCodec<T>(SlimCodec<T> codec)
    {
        ArgumentNullException.ThrowIfNull(codec);
        if (typeof(T).IsAbstract || typeof(T).IsInterface || typeof(T).IsArray || typeof(T) == typeof(string))
            throw new ArgumentException($"{typeof(T)} cannot have a codec: it is not a concrete class or struct.");
        _codecs[typeof(T)] = codec;
        return this;
    }

    /// <summary>Adds the type to the closed list and lets its own serialization code run.</summary>
    /// <typeparam name="T">A class or struct of your own.</typeparam>
    public SlimOptions AllowCallbacks<T>() => AllowCallbacks(typeof(T));

    /// <summary>Adds the type to the closed list and lets its own serialization code run, on what any message says:
    /// <c>ISerializable</c> (its content travels instead of its fields), methods marked with <c>OnSerializing</c>,
    /// <c>OnSerialized</c>, <c>OnDeserializing</c>, <c>OnDeserialized</c>, <c>IDeserializationCallback</c> and
    /// <c>IObjectReference</c>. Without it such types are refused, because an object whose code did not run is not the
    /// object its author meant. Counts for exactly this type. The in-process profile runs the code of every
    /// type.</summary>
    /// <param name="type">A class or struct of your own.</param>
    public SlimOptions AllowCallbacks(Type type)
    {
        Allow(type);
        if (TypeRules.IsFramework(type) || type.IsArray || type.IsInterface)
            throw new ArgumentException($"{type} is not a class or struct of your own.", nameof(type));
        _callbackTypes.Add(type);
        return this;
    }

    /// <summary>Lets delegates travel that call one static method of exactly this type, whatever its visibility; any
    /// message may choose among those whose signature fits. The delegate type has to be on the closed list, too.
    /// Instance methods, closures, several methods in one delegate and generic methods are always refused.</summary>
    /// <param name="type">A class or struct of your own; may be static.</param>
    public SlimOptions AllowMethodsOf(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (TypeRules.IsFramework(type) || type.ContainsGenericParameters || type.IsArray)
            throw new ArgumentException($"{type} is not a type of your own that can be called.", nameof(type));
        _methodTypes.Add(type);
        return this;
    }

    /// <summary>Lets readers understand messages from before a type was renamed or moved to another namespace or
    /// assembly. Add aliases in the order of the renames: a message is understood if its names are those of one moment
    /// of that history. Fields may differ as well, see <see cref="Versioning"/>. A name that some type bears today
    /// means that type. Does not put the type on the closed list; writers ignore it.</summary>
    /// <param name="oldName">The full name, nested types behind <c>+</c>, generic ones with their <c>`</c> and number;
    /// then, if the assembly was another one, a comma and its simple name.</param>
    /// <param name="type">The type today; for generic types the definition.</param>
    /// <exception cref="ArgumentException">The name belongs to another alias, or the type cannot have one.</exception>
    public SlimOptions Alias(string oldName, Type type)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(oldName);
        ArgumentNullException.ThrowIfNull(type);
        if (oldName.AsSpan().ContainsAny('[', ';'))
            throw new ArgumentException($"'{oldName}' is not the name of a type or of a definition.", nameof(oldName));
        if (type.HasElementType || type.IsConstructedGenericType || TypeRules.IsFramework(type))
            throw new ArgumentException($"{type} is not a type or definition of your own.", nameof(type));
        if (_aliases.Any(a => a.OldName == oldName))
            throw new ArgumentException($"'{oldName}' is an alias already.", nameof(oldName));
        _aliases.Add((oldName, type));
        return this;
    }

    /// <summary>Lets tolerant readers find the values of a field or property that was renamed: those of the old name go
    /// to the member, if the writer's type has none that is called like the member today.</summary>
    /// <param name="oldName">The old name of the field or property.</param>
    /// <param name="type">The type that declares it; for generic types the definition.</param>
    /// <param name="member">The field or automatic property today.</param>
    /// <exception cref="ArgumentException">The type does not declare the member, or the alias exists.</exception>
    public SlimOptions Alias(string oldName, Type type, string member)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(oldName);
        ArgumentNullException.ThrowIfNull(type);
        ArgumentException.ThrowIfNullOrWhiteSpace(member);
        if (TypeRules.IsFramework(type)
            || !TypeShape.FieldsOf(type).Any(f => f.DeclaringType == type && MemberNames.Of(f) == member))
            throw new ArgumentException($"{type} does not declare a carried member {member}.", nameof(member));
        if (_memberAliases.Any(a => a.Type == type && a.OldName == oldName))
            throw new ArgumentException($"'{oldName}' of {type} is an alias already.", nameof(oldName));
        _memberAliases.Add((type, oldName, member));
        return this;
    }

    /// <summary>Which interfaces are external, see <see cref="Hosting.SlimExternalReferences"/>.</summary>
    internal Func<Type, bool>? ExternalTypes { get; set; }

    /// <summary>The descriptions of layouts that the host keeps, see <see cref="Hosting.SlimKnownLayouts"/>.</summary>
    internal Hosting.ISlimKnownLayouts? KnownLayouts { get; set; }

    internal TypeRules Freeze()
    {
        if (TypeResolver is not null && Profile != SlimProfile.Trusted)
        {
            throw new ArgumentException(
                $"SlimOptions.TypeResolver is set, but SlimOptions.Profile is {Profile}: only SlimProfile.Trusted "
                + "finds types by name. Choose that profile, or add the types with Allow.");
        }

        if (Profile != SlimProfile.InProcess && SameNames.Find(_types.Concat(_codecs.Keys)) is { } pair)
            throw new ArgumentException($"SlimOptions cannot allow both types: {SameNames.Describe(pair)}");
        var history = PastNames.HistoryOf(_aliases);
        return NewRules(history, new CarriedMethods(_methodTypes, history));
    }

    private TypeRules NewRules(PastNames[] history, CarriedMethods methods) => new()
    {
        History = history,
        WrittenNames = WriteOldNames ? history.FirstOrDefault() : null,
        Methods = methods,
        CallbackTypes = [.. _callbackTypes],
        Resolver = TypeResolver,
        MemberHistory = [.. _memberAliases],
        Versioning = Versioning,
        DescriptionCountMax = Limits.MaxTypeCount,
        DescriptionBytesMax = Limits.MaxTypeBytes,
        Profile = Profile,
        IsCanonical = Canonical,
        Types = [.. _types, .. _codecs.Keys],
        Assemblies = [.. _assemblies],
        Predicates = [.. _predicates],
        Codecs = new Dictionary<Type, object>(_codecs),
        ExternalTypes = ExternalTypes,
        KnownLayouts = KnownLayouts,
    };
}
