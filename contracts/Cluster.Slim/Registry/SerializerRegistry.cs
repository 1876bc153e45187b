using Cluster.Slim.Fields;
using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Registry;

/// <summary>All type and field serializers of one serializer, made once per type at first use. Reads are lock-free. The
/// lock orders the creation of serializers, and with it the integers that in-process messages use for types.</summary>
internal sealed class SerializerRegistry : SerializerSource
{
    private readonly ConcurrentDictionary<Type, TypeSerializer> _serializers = new();
    private readonly ConcurrentDictionary<Type, FieldSerializer> _fieldSerializers = new();
    private readonly ConcurrentDictionary<string, TypeSerializer> _byName = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<ulong, TypeSerializer> _byFingerprint = new();
    private int _fingerprintedCount;
    private readonly Lock _making = new();
    private readonly SerializerFactory _factory;
    private readonly LayoutFingerprints _fingerprints;

    public SerializerRegistry(TypeRules rules)
        : base(rules)
    {
        _factory = new SerializerFactory(this, rules);
        Layouts = new LayoutCatalog(this);
        Names = new LayoutNames(rules);
        Resolved = new ResolvedTypes(rules.Resolver);
        _fingerprints = new LayoutFingerprints(rules, Layouts);
    }

    /// <summary>The layouts of the types of this serializer.</summary>
    public LayoutCatalog Layouts { get; }

    /// <summary>The types of in-process messages of an earlier process that are missing here or have other
    /// fields.</summary>
    public RestoredTypes Restored { get; private set; } = new([]);

    /// <summary>The present and former names of types.</summary>
    public LayoutNames Names { get; }

    /// <summary>The types that messages have brought in by name, beyond the closed lists.</summary>
    public ResolvedTypes Resolved { get; }

    public override TypeSerializer SerializerOf(Type type) =>
        _serializers.TryGetValue(type, out var serializer) ? serializer : Make(type);

    public override SerializerSource Own => this;

    /// <summary>The integers by which in-process messages name types.</summary>
    public ProcessTypes ProcessTypes { get; } = new();

    public override FieldSerializer FieldSerializerOf(Type type) =>
        _fieldSerializers.TryGetValue(type, out var serializer)
            ? serializer
            : _fieldSerializers.GetOrAdd(type, _factory.NewFieldSerializer(type));

    public override object? FindFields(Type type) =>
        _factory.MembersOf(type) is { Length: > 0 } members ? SerializerFactory.NewFieldSet(type, members) : null;

    public ulong FingerprintOf(Type type) => _fingerprints.Of(type);

    /// <summary>The description of the type that belongs to its fingerprint.</summary>
    public byte[] Describe(Type type) => _fingerprints.Describe(type);

    /// <summary>The fingerprints of the type before each rename.</summary>
    public ulong[] PastFingerprintsOf(Type type) => _fingerprints.PastOf(type);

    public void ThrowIfNotCarried(Type type) => _factory.ThrowIfNotCarried(type);

    /// <summary>The type with that name that this serializer has met, or that the restored table has.</summary>
    public Type? FindByName(string name) => _byName.GetValueOrDefault(name)?.Type ?? Restored.Find(name);

    /// <summary>The serializer of a type that was met before. First adds the fingerprints of serializers made since the
    /// last call: the creation of a serializer must not ask for them, because a fingerprint needs the serializers of
    /// all parts.</summary>
    public TypeSerializer? FindByFingerprint(ulong fingerprint)
    {
        var serializers = ProcessTypes.Serializers;
        for (var i = Volatile.Read(ref _fingerprintedCount); i < serializers.Length; i++)
        {
            if (serializers[i] is not { } serializer)
                continue;
            _byFingerprint.TryAdd(FingerprintOf(serializer.Type), serializer);
            foreach (var past in PastFingerprintsOf(serializer.Type))
                _byFingerprint.TryAdd(past, serializer);
        }

        Volatile.Write(ref _fingerprintedCount, serializers.Length);
        return _byFingerprint.GetValueOrDefault(fingerprint);
    }

    /// <summary>The serializer of a class that can be carried, or null.</summary>
    public TypeSerializer? FindCarried(Type type)
    {
        var isOpen = type.IsInterface || (type.IsAbstract && !TypeRules.IsFramework(type));
        return isOpen || Refusals.ReasonFor(type, Rules) is not null ? null : SerializerOf(type);
    }

    /// <summary>Gives types the integers of another serializer, before this one has written or read any message. An
    /// integer stays without a serializer where this process does not have the type or the type has other fields. Types
    /// that have an integer already follow.</summary>
    public void RestoreProcessIds(IReadOnlyList<SlimTypeRecord> records)
    {
        Restored = new RestoredTypes(records);
        List<TypeSerializer?> serializers = [.. records.Select((record, id) => FindRestored(record.Type, id))];
        lock (_making)
            ProcessTypes.Restore(serializers);
    }

    private TypeSerializer? FindRestored(Type? type, int id) =>
        type is not null && FindCarried(type) is { } serializer
            && Restored.IsOf(id, FingerprintOf(serializer.Type), PastFingerprintsOf(serializer.Type))
            ? serializer
            : null;

    private TypeSerializer Make(Type type)
    {
        type = FrameworkForms.CarriedTypeOf(type);
        lock (_making)
        {
            if (_serializers.TryGetValue(type, out var known))
                return known;
            var serializer = _factory.NewSerializer(type);
            serializer.Freeze();
            serializer.WireCode = WireTypes.CodeOf(type);
            ProcessTypes.Add(serializer);
            if (Rules.Profile == SlimProfile.Trusted)
            {
                // The first type of a name keeps it. AllowSet refuses to write another type of the same name, because a
                // reader would not find it.
                _byName.TryAdd(TypeNames.Of(type), serializer);
                foreach (var past in Rules.History)
                    _byName.TryAdd(TypeNames.Of(type, past), serializer);
            }

            _serializers[type] = serializer;
            return serializer;
        }
    }
}
