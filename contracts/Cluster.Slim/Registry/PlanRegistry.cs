using Cluster.Slim.Fields;
using Cluster.Slim.Hosting;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Registry;

/// <summary>All plans and slots of one serializer, made once per type at first use. Reads are lock-free; the lock
/// orders the making of plans and with it the integers that in-process messages use for types.</summary>
internal sealed class PlanRegistry : SlotSource
{
    private readonly ConcurrentDictionary<Type, ObjectPlan> _plans = new();
    private readonly ConcurrentDictionary<Type, Slot> _slots = new();
    private readonly ConcurrentDictionary<string, ObjectPlan> _byName = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<ulong, ObjectPlan> _byFingerprint = new();
    private int _fingerprintedCount;
    private readonly Lock _making = new();
    private readonly PlanFactory _factory;
    private readonly LayoutFingerprints _fingerprints;

    public PlanRegistry(TypeRules rules)
        : base(rules)
    {
        _factory = new PlanFactory(this, rules);
        Layouts = new LayoutCatalog(this);
        Names = new LayoutNames(rules);
        Resolved = new ResolvedTypes(rules.Resolver);
        _fingerprints = new LayoutFingerprints(rules, Layouts);
    }

    /// <summary>How the types of this serializer lie in messages.</summary>
    public LayoutCatalog Layouts { get; }

    /// <summary>What in-process messages from before mean, whose types are not here or have other fields.</summary>
    public RestoredTypes Restored { get; private set; } = new([]);

    /// <summary>What types are called, and were.</summary>
    public LayoutNames Names { get; }

    /// <summary>The types that messages have brought in by name, beyond the closed lists.</summary>
    public ResolvedTypes Resolved { get; }

    public override ObjectPlan PlanOf(Type type) => _plans.TryGetValue(type, out var plan) ? plan : Make(type);

    public override SlotSource Own => this;

    /// <summary>The integers by which in-process messages name types.</summary>
    public ProcessTypes ProcessTypes { get; } = new();

    public override Slot SlotOf(Type type) =>
        _slots.TryGetValue(type, out var slot) ? slot : _slots.GetOrAdd(type, _factory.NewSlot(type));

    public override object? FindFields(Type type) =>
        _factory.MembersOf(type) is { Length: > 0 } members ? PlanFactory.NewFieldSet(type, members) : null;

    public ulong FingerprintOf(Type type) => _fingerprints.Of(type);

    /// <summary>The description that the fingerprint of the type is of.</summary>
    public byte[] Describe(Type type) => _fingerprints.Describe(type);

    /// <summary>The fingerprints of the type before each rename.</summary>
    public ulong[] PastFingerprintsOf(Type type) => _fingerprints.PastOf(type);

    public void ThrowIfNotCarried(Type type) => _factory.ThrowIfNotCarried(type);

    /// <summary>The type of that name that this serializer has met, or that the restored table has.</summary>
    public Type? FindByName(string name) => _byName.GetValueOrDefault(name)?.Type ?? Restored.Find(name);

    /// <summary>The plan of a type seen before. Fingerprints of plans made since the last call are added first: making
    /// a plan must not ask for them, because a fingerprint needs the plans of all parts.</summary>
    public ObjectPlan? FindByFingerprint(ulong fingerprint)
    {
        var plans = ProcessTypes.Plans;
        for (var i = Volatile.Read(ref _fingerprintedCount); i < plans.Length; i++)
        {
            if (plans[i] is not { } plan)
                continue;
            _byFingerprint.TryAdd(FingerprintOf(plan.Type), plan);
            foreach (var past in PastFingerprintsOf(plan.Type))
                _byFingerprint.TryAdd(past, plan);
        }

        Volatile.Write(ref _fingerprintedCount, plans.Length);
        return _byFingerprint.GetValueOrDefault(fingerprint);
    }

    /// <summary>The plan of a class that can be carried, or null.</summary>
    public ObjectPlan? FindCarried(Type type)
    {
        var isOpen = type.IsInterface || (type.IsAbstract && !TypeRules.IsFramework(type));
        return isOpen || Refusals.ReasonFor(type, Rules) is not null ? null : PlanOf(type);
    }

    /// <summary>Gives types the integers by which messages of another serializer name them, before this one has written
    /// or read any. An integer stays without a plan where the type is not to be had or has other fields; types made
    /// meanwhile come after all.</summary>
    public void RestoreProcessIds(IReadOnlyList<SlimTypeRecord> records)
    {
        Restored = new RestoredTypes(records);
        List<ObjectPlan?> plans = [.. records.Select((record, id) => FindRestored(record.Type, id))];
        lock (_making)
            ProcessTypes.Restore(plans);
    }

    private ObjectPlan? FindRestored(Type? type, int id) =>
        type is not null && FindCarried(type) is { } plan
            && Restored.IsOf(id, FingerprintOf(plan.Type), PastFingerprintsOf(plan.Type))
            ? plan
            : null;

    private ObjectPlan Make(Type type)
    {
        type = FrameworkForms.CarriedTypeOf(type);
        lock (_making)
        {
            if (_plans.TryGetValue(type, out var known))
                return known;
            var plan = _factory.NewPlan(type);
            plan.Freeze();
            plan.WireCode = WireTypes.CodeOf(type);
            ProcessTypes.Add(plan);
            if (Rules.Profile == SlimProfile.Trusted)
            {
                // The first type of a name keeps it; AllowSet refuses to write another one that it would not find.
                _byName.TryAdd(TypeNames.Of(type), plan);
                foreach (var past in Rules.History)
                    _byName.TryAdd(TypeNames.Of(type, past), plan);
            }

            _plans[type] = plan;
            return plan;
        }
    }
}
