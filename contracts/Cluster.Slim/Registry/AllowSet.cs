using System.Collections.Frozen;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Registry;

/// <summary>The closed list of one root type: the types that a graph below it may contain, and the type for each name
/// or fingerprint on the wire. Frozen when created; serializers are cached on use; safe for many threads.</summary>
internal sealed class AllowSet : AdmittedTypes
{
    private readonly TypeRules _rules;
    private readonly SerializerRegistry _serializers;
    private readonly FrozenSet<Type> _types;
    private readonly ConcurrentDictionary<uint, TypeSerializer> _restored = new();
    private readonly DescriptionBinder _binder;
    private FrozenDictionary<string, Type>? _names;
    private FrozenDictionary<ulong, Type>? _fingerprints;

    public AllowSet(Type root, TypeRules rules, SerializerRegistry serializers)
        : base(root, serializers.ProcessTypes)
    {
        _rules = rules;
        _serializers = serializers;
        _types = rules.IsOpen ? FrozenSet<Type>.Empty : ClosedList(root, rules);
        _binder = new DescriptionBinder(this, serializers);
        IsRootExternal = rules.IsExternal(root);
        IsInProcess = rules.Profile == SlimProfile.InProcess;
    }

    /// <summary>The types of the list.</summary>
    public IReadOnlyCollection<Type> Listed => _rules.IsOpen
        ? throw new InvalidOperationException($"The profile {_rules.Profile} has no closed list.")
        : _types;

    /// <summary>The number of remembered descriptions of other layouts.</summary>
    public int DescribedCount => _binder.Count;

    public override TypeSerializer SerializerOf(TypeLayout layout) =>
        layout.Type is { } type ? SerializerOf(type) : _binder.SerializerOf((DescribedPlace)layout.Place!);

    public override TypeSerializer SerializerOf(DescribedType described, SlimReader? reader) =>
        _binder.SerializerOf(described, reader);

    public override TypeLayout LayoutOf(DescribedType described, SlimReader? reader) =>
        _binder.LayoutOf(described, reader);

    public override TypeLayout LayoutOf(Type type) => _serializers.Layouts.Of(type);

    public override TypeLayout LayoutOfCode(uint code) => _serializers.Layouts.OfCode(code);

    /// <summary>The binding of a description of another layout under this list.</summary>
    public DescribedTypes Described(byte[] description) => _binder.Described(description);

    /// <summary>Whether no other type of the list fits into a place of the type.</summary>
    public bool HasNoSubtypeOf(Type type) => !_rules.IsOpen && _types.All(t => t == type || !type.IsAssignableFrom(t));

    protected override FieldSerializer<T> NewFieldSerializer<T>()
    {
        if (typeof(T).IsSealed && !typeof(T).IsValueType)
            SerializerOf(typeof(T));
        return _serializers.FieldSerializerOf<T>();
    }

    public override TypeSerializer? FindByName(string name) => FindType(name) is { } type ? SerializerOf(type) : null;

    /// <summary>Finds a type by name if it can be carried; otherwise null.</summary>
    public TypeSerializer? FindCarriedByName(string name) =>
        FindType(name) is { } type && (type.IsValueType || _serializers.FindCarried(type) is not null)
            ? SerializerOf(type)
            : null;

    // The types that the root reaches come before the types of other roots: two load contexts may have types of one
    // name. A type from the resolver is admitted like any other, so the deny list applies.
    private Type? FindType(string name)
    {
        _names ??= NamesOf([.. Candidates()]);
        if (_names.TryGetValue(name, out var type))
            return type;
        return _rules.IsOpen && _serializers.FindByName(name) is { } seen ? seen : _serializers.Resolved.Find(name);
    }

    public override TypeSerializer SerializerOfRestored(uint number) =>
        _restored.TryGetValue(number, out var serializer)
        ? serializer
        : _restored.GetOrAdd(number, RestoredOf(number).Find(this, null));

    public override TypeLayout LayoutOfRestored(uint number) => RestoredOf(number).FindLayout(this, null);

    public override SlimTypeNotAllowedException Unknown(string name) =>
        IsInProcess
            ? Throw.NoSuchType(name)
            : Throw.NotAllowed(name, Root);

    public TypeSerializer? FindByFingerprint(ulong fingerprint)
    {
        _fingerprints ??= FingerprintsOf([.. Candidates()]);
        if (_fingerprints.TryGetValue(fingerprint, out var type))
            return SerializerOf(type);
        return _rules.IsOpen ? _serializers.FindByFingerprint(fingerprint) : null;
    }

    private DescribedType RestoredOf(uint number)
    {
        var described = _serializers.Restored.Describe(number);
        if (described is null)
            Throw.Malformed($"The type {number} is unknown to this serializer.");
        return described!;
    }

    private static FrozenSet<Type> ClosedList(Type root, TypeRules rules)
    {
        var types = new TypeClosure(rules).Build(root).ToFrozenSet();
        if (rules.Types.Length > 0 && SameNames.Find(types) is { } pair)
            throw Throw.NotSupported(root, $"on its closed list {SameNames.Describe(pair)}");
        return types;
    }

    private IEnumerable<Type> Candidates() => _rules.IsOpen ? new TypeClosure(_rules).Build(Root) : _types;

    // Present names come first; former names follow.
    private FrozenDictionary<string, Type> NamesOf(Type[] types) =>
        types.Select(static t => KeyValuePair.Create(TypeNames.Of(t), t))
            .Concat(_rules.History.SelectMany(past => types.Select(t => KeyValuePair.Create(TypeNames.Of(t, past), t))))
            .DistinctBy(static p => p.Key).ToFrozenDictionary();

    private FrozenDictionary<ulong, Type> FingerprintsOf(Type[] types) =>
        types.Select(t => KeyValuePair.Create(_serializers.FingerprintOf(t), t))
            .Concat(types.SelectMany(t => _serializers.PastFingerprintsOf(t).Select(f => KeyValuePair.Create(f, t))))
            .DistinctBy(static p => p.Key).ToFrozenDictionary();

    protected override TypeSerializer Admit(Type type)
    {
        type = FrameworkForms.CarriedTypeOf(type);
        if (!_rules.IsOpen && WireTypes.CodeOf(type) == 0 && !_types.Contains(type))
        {
            _serializers.ThrowIfNotCarried(type);
            throw Throw.NotAllowed(type, Root);
        }

        var serializer = _serializers.SerializerOf(type);
        if (_rules.Profile == SlimProfile.Trusted)
            ThrowIfNameMeansAnother(type);
        return serializer;
    }

    // Two load contexts may each have a type of one name. Without a list, the name stands for the first one that was
    // met.
    private void ThrowIfNameMeansAnother(Type type)
    {
        var name = TypeNames.Of(type);
        if (_serializers.FindByName(name) is { } met && met != type && FindType(name) is { } found && found != type)
            throw Throw.NotSupported(type, SameNames.Describe((found, type)));
    }

    protected override TypeSerializer AdmitCode(uint code)
    {
        var type = WireTypes.TypeOf(code);
        if (type is null)
            Throw.Malformed($"The type code {code} is not in use.");
        return _serializers.SerializerOf(type!);
    }
}
