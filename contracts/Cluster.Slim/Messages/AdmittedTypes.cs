using Cluster.Slim.Layouts;

namespace Cluster.Slim.Messages;

/// <summary>The types that graphs below one root may contain, with the plans of those that were met. What is not known
/// yet is decided by the closed list that derives from it. Safe for many threads.</summary>
internal abstract class AdmittedTypes(Type root, ProcessTypes processTypes)
{
    private const int RecentCount = 64;

    private readonly ConcurrentDictionary<Type, ObjectPlan> _plans = new();

    // In front of the dictionary, by address of the type. An entry stays once it is made, so that two types in one
    // place do not make threads write to the same memory again and again.
    private readonly ObjectPlan?[] _recent = new ObjectPlan?[RecentCount];
    private readonly ConcurrentDictionary<Type, Slot> _slots = new();
    private readonly ObjectPlan?[] _byCode = new ObjectPlan?[Heads.TypeTableFirst];

    public Type Root => root;

    /// <summary>Whether objects in places of the root type are the host's.</summary>
    public bool IsRootClaimed { get; protected init; }

    /// <summary>Whether messages name types by the integers of one serializer.</summary>
    public bool IsInProcess { get; protected init; }

    /// <summary>The integers by which messages of the in-process profile name types.</summary>
    public ProcessTypes ProcessTypes => processTypes;

    /// <summary>The plan of an admitted type; refuses others with the line of code to add.</summary>
    public ObjectPlan PlanOf(Type type) => _plans.TryGetValue(type, out var plan) ? plan : Add(type);

    /// <summary>The plan of the type of an object.</summary>
    public ObjectPlan PlanOf(object value)
    {
        var type = value.GetType();
        var handle = type.TypeHandle.Value;
        var recent = _recent;
        var at = (int)((handle >> 4) ^ (handle >> 10)) & (RecentCount - 1);
        return recent[at] is { } plan && ReferenceEquals(plan.Type, type) ? plan : FindRecent(type, at);
    }

    /// <summary>The plan of a type that the format knows by its code; these are on every list.</summary>
    public ObjectPlan PlanOfCode(uint code) => _byCode[code] ?? (_byCode[code] = AdmitCode(code));

    /// <summary>The slot for a declared type that a user codec names.</summary>
    public Slot<T> SlotOf<T>()
    {
        if (_slots.TryGetValue(typeof(T), out var known))
            return Unsafe.As<Slot<T>>(known);
        var slot = NewSlot<T>();
        _slots.TryAdd(typeof(T), slot);
        return slot;
    }

    /// <summary>The plan that reads what was written by the layout; refuses types that are not on the list.</summary>
    public abstract ObjectPlan PlanOf(TypeLayout layout);

    /// <summary>The plan that reads what a message described; refuses types that are not on the list.</summary>
    public abstract ObjectPlan PlanOf(DescribedType described, SlimReader? reader);

    /// <summary>How values of a type that a message described lie in it, whether or not the list admits the
    /// type.</summary>
    public abstract TypeLayout LayoutOf(DescribedType described, SlimReader? reader);

    /// <summary>How values of a type of this process lie in messages.</summary>
    public abstract TypeLayout LayoutOf(Type type);

    /// <summary>The layout of a type that the format knows by its code.</summary>
    public abstract TypeLayout LayoutOfCode(uint code);

    /// <summary>The plan that reads in-process messages from before, whose type has other fields by now.</summary>
    public abstract ObjectPlan PlanOfRestored(uint number);

    /// <summary>The layout of a type of in-process messages from before, also where the type is not to be
    /// had.</summary>
    public abstract TypeLayout LayoutOfRestored(uint number);

    /// <summary>The plan of the type that a message calls by this name, or null.</summary>
    public abstract ObjectPlan? FindByName(string name);

    /// <summary>The error of a message that names a type that is not to be had.</summary>
    public abstract SlimTypeNotAllowedException Unknown(string name);

    /// <summary>Decides about a type. The plan may be that of another type, by which values of this one are
    /// carried.</summary>
    protected abstract ObjectPlan Admit(Type type);

    protected abstract ObjectPlan AdmitCode(uint code);

    protected abstract Slot<T> NewSlot<T>();

    private ObjectPlan Add(Type type)
    {
        var plan = Admit(type);
        return _plans.GetOrAdd(plan.Type, plan);
    }

    private ObjectPlan FindRecent(Type type, int at)
    {
        var plan = PlanOf(type);
        if (ReferenceEquals(plan.Type, type))
            _recent[at] ??= plan;
        return plan;
    }
}
