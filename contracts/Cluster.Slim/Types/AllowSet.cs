using System.Collections.Frozen;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Types;

/// <summary>The closed list of one root type: which types an object graph below it may contain, and how a name or
/// fingerprint on the wire leads to one of them. Frozen when created; plans are cached on the way; safe for many
/// threads.</summary>
internal sealed class AllowSet(Type root, TypeRules rules, PlanRegistry plans)
{
    private const int RecentCount = 64;

    private readonly FrozenSet<Type> _types =
        rules.IsOpen ? FrozenSet<Type>.Empty : ClosedList(root, rules);

    private readonly ConcurrentDictionary<Type, ObjectPlan> _plans = new();

    // In front of the dictionary, by address of the type. An entry stays once it is made, so that two types in one
    // place do not make threads write to the same memory again and again.
    private readonly ObjectPlan?[] _recent = new ObjectPlan?[RecentCount];
    private readonly ConcurrentDictionary<Type, Slot> _slots = new();
    private readonly ConcurrentDictionary<uint, ObjectPlan> _restored = new();
    private readonly DescriptionCache _described = new(rules.DescriptionCountMax, rules.DescriptionBytesMax);
    private readonly ObjectPlan?[] _byCode = new ObjectPlan?[Graph.Heads.TypeTableFirst];
    private FrozenDictionary<string, Type>? _names;
    private FrozenDictionary<ulong, Type>? _fingerprints;

    public Type Root => root;

    /// <summary>Whether objects in places of the root type are the host's.</summary>
    public bool IsRootClaimed { get; } = rules.IsClaimed(root);

    /// <summary>The types of the list.</summary>
    public IReadOnlyCollection<Type> Listed => rules.IsOpen
        ? throw new InvalidOperationException($"The profile {rules.Profile} has no closed list.")
        : _types;

    /// <summary>How many descriptions of other layouts are remembered.</summary>
    public int DescribedCount => _described.Count;

    public bool IsInProcess => rules.Profile == SlimProfile.InProcess;

    /// <summary>The plan of an admitted type; refuses others with the line of code to add.</summary>
    public ObjectPlan PlanOf(Type type) => _plans.TryGetValue(type, out var plan) ? plan : Admit(type);

    /// <summary>The plan of the type of an object.</summary>
    public ObjectPlan PlanOf(object value)
    {
        var type = value.GetType();
        var handle = type.TypeHandle.Value;
        var recent = _recent;
        var at = (int)((handle >> 4) ^ (handle >> 10)) & (RecentCount - 1);
        return recent[at] is { } plan && ReferenceEquals(plan.Type, type) ? plan : FindRecent(type, at);
    }

    /// <summary>The plan that reads what was written by the layout; refuses types that are not on the list.</summary>
    public ObjectPlan PlanOf(TypeLayout layout)
    {
        if (layout.Type is { } type)
            return PlanOf(type);
        (var types, var index) = layout.Place!;
        return (types.IsOf(this) ? types : Described(types.Text)).PlanOf(index);
    }

    /// <summary>What a description of another layout comes to under this list.</summary>
    public DescribedTypes Described(byte[] description) =>
        _described.GetOrAdd(description, text => new DescribedTypes(text, this, plans));

    /// <summary>The plan of a type that the format knows by its code; these are on every list.</summary>
    public ObjectPlan PlanOfCode(uint code) => _byCode[code] ?? AdmitCode(code);

    /// <summary>Whether no other type that an object may have fits into a place of the type.</summary>
    public bool HasNoSubtypeOf(Type type) => !rules.IsOpen && _types.All(t => t == type || !type.IsAssignableFrom(t));

    /// <summary>The slot for a declared type that a user codec names.</summary>
    public Slot<T> SlotOf<T>()
    {
        if (_slots.TryGetValue(typeof(T), out var known))
            return Unsafe.As<Slot<T>>(known);
        if (typeof(T).IsSealed && !typeof(T).IsValueType)
            PlanOf(typeof(T));
        var slot = plans.SlotOf<T>();
        _slots.TryAdd(typeof(T), slot);
        return slot;
    }

    public ObjectPlan? FindByName(string name) => FindType(name) is { } type ? PlanOf(type) : null;

    /// <summary>The same if the type can be carried at all; otherwise null.</summary>
    public ObjectPlan? FindCarriedByName(string name) =>
        FindType(name) is { } type && (type.IsValueType || plans.FindCarried(type) is not null) ? PlanOf(type) : null;

    // What the root reaches comes before what other roots have used: two contexts may have types of one name. What the
    // resolver answers is admitted like any other type, so the deny list stays.
    private Type? FindType(string name)
    {
        _names ??= NamesOf([.. Candidates()]);
        if (_names.TryGetValue(name, out var type))
            return type;
        return rules.IsOpen && plans.FindByName(name) is { } seen ? seen : plans.Resolved.Find(name);
    }

    /// <summary>The plan that reads in-process messages from before, whose type has other fields by now.</summary>
    public ObjectPlan PlanOfRestored(uint number) => _restored.TryGetValue(number, out var plan)
        ? plan
        : _restored.GetOrAdd(number, RestoredOf(number).Find(this, plans, null));

    /// <summary>How they lie, also where the type is not to be had.</summary>
    public TypeLayout LayoutOfRestored(uint number) => RestoredOf(number).FindLayout(this, plans, null);

    /// <summary>What to throw when a message names a type that is not to be had.</summary>
    public SlimTypeNotAllowedException Unknown(string name) =>
        IsInProcess
            ? Throw.NoSuchType(name)
            : Throw.NotAllowed(name, root);

    public ObjectPlan? FindByFingerprint(ulong fingerprint)
    {
        _fingerprints ??= FingerprintsOf([.. Candidates()]);
        if (_fingerprints.TryGetValue(fingerprint, out var type))
            return PlanOf(type);
        return rules.IsOpen ? plans.FindByFingerprint(fingerprint) : null;
    }

    private DescribedType RestoredOf(uint number)
    {
        var described = plans.Restored.Describe(number);
        if (described is null)
            Throw.Malformed($"The type {number} is unknown to this serializer.");
        return described!;
    }

    private ObjectPlan FindRecent(Type type, int at)
    {
        var plan = PlanOf(type);
        if (ReferenceEquals(plan.Type, type))
            _recent[at] ??= plan;
        return plan;
    }

    private static FrozenSet<Type> ClosedList(Type root, TypeRules rules)
    {
        var types = new TypeClosure(rules).Build(root).ToFrozenSet();
        if (rules.Types.Length > 0 && SameNames.Find(types) is { } pair)
            throw Throw.NotSupported(root, $"on its closed list {SameNames.Describe(pair)}");
        return types;
    }

    private IEnumerable<Type> Candidates() => rules.IsOpen ? new TypeClosure(rules).Build(root) : _types;

    // What a name means today comes first; the names of the past follow.
    private FrozenDictionary<string, Type> NamesOf(Type[] types) =>
        types.Select(static t => KeyValuePair.Create(TypeNames.Of(t), t))
            .Concat(rules.History.SelectMany(past => types.Select(t => KeyValuePair.Create(TypeNames.Of(t, past), t))))
            .DistinctBy(static p => p.Key).ToFrozenDictionary();

    private FrozenDictionary<ulong, Type> FingerprintsOf(Type[] types) =>
        types.Select(t => KeyValuePair.Create(plans.FingerprintOf(t), t))
            .Concat(types.SelectMany(t => plans.PastFingerprintsOf(t).Select(f => KeyValuePair.Create(f, t))))
            .DistinctBy(static p => p.Key).ToFrozenDictionary();

    private ObjectPlan Admit(Type type)
    {
        type = FrameworkForms.CarriedTypeOf(type);
        if (!rules.IsOpen && WireTypes.CodeOf(type) == 0 && !_types.Contains(type))
        {
            plans.ThrowIfNotCarried(type);
            throw Throw.NotAllowed(type, root);
        }

        var plan = plans.PlanOf(type);
        if (rules.Profile == SlimProfile.Trusted)
            ThrowIfNameMeansAnother(type);
        return _plans.GetOrAdd(type, plan);
    }

    // Two load contexts may have a type of one name each. Without a list only the first one met can be told by it.
    private void ThrowIfNameMeansAnother(Type type)
    {
        var name = TypeNames.Of(type);
        if (plans.FindByName(name) is { } met && met != type && FindType(name) is { } found && found != type)
            throw Throw.NotSupported(type, SameNames.Describe((found, type)));
    }

    private ObjectPlan AdmitCode(uint code)
    {
        var type = WireTypes.TypeOf(code);
        if (type is null)
            Throw.Malformed($"The type code {code} is not in use.");
        return _byCode[code] = plans.PlanOf(type!);
    }
}
