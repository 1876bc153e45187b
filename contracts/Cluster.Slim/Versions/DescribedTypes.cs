using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;

namespace Cluster.Slim.Versions;

/// <summary>One description of a type whose layout differs from that of this process, and the plans that read what was
/// written by it into the types of one closed list. Plans are made at first use; threads that race make equal
/// ones.</summary>
internal sealed class DescribedTypes
{
    private readonly AllowSet _allowed;
    private readonly PlanRegistry _registry;
    private readonly TypeLayout[] _layouts;
    private readonly ObjectPlan?[] _plans;
    private readonly DescribedSlots _slots;

    public DescribedTypes(byte[] text, AllowSet allowed, PlanRegistry registry)
    {
        Text = text;
        _allowed = allowed;
        _registry = registry;
        _layouts = new LayoutDecoder(text, registry.Layouts.OfCode).Decode();
        for (var i = 0; i < _layouts.Length; i++)
            _layouts[i].Place = new DescribedPlace(this, i);
        _plans = new ObjectPlan?[_layouts.Length];
        _slots = new DescribedSlots(this, registry);
    }

    /// <summary>The description.</summary>
    public byte[] Text { get; }

    public TypeLayout Root => _layouts[0];

    /// <summary>The plan for objects of a layout of this description.</summary>
    public ObjectPlan PlanOf(int index) => _plans[index] ??= NewPlan(_layouts[index]);

    /// <summary>The plan for objects of any layout, under the list that this description is read for.</summary>
    public ObjectPlan PlanOf(TypeLayout layout) => _allowed.PlanOf(layout);

    /// <summary>The slot that reads what was written as one type into a place of another.</summary>
    public Slot NewSlot(Type type, TypeLayout described, string member) => _slots.NewSlot(type, described, member);

    /// <summary>Whether objects in places of the type are the host's.</summary>
    public bool IsClaimed(Type type) => _registry.Rules.IsClaimed(type);

    /// <summary>Makes the plans of everything that the description names and that is known here, the root among
    /// them.</summary>
    /// <exception cref="SlimException">Something of it cannot be read here.</exception>
    public void PlanAll(Type root)
    {
        var plan = PlanOf(0);
        if (!root.IsAssignableFrom(plan.Type) && Nullable.GetUnderlyingType(root) != plan.Type)
            throw Throw.Layout(_layouts[0].Name, $"{_layouts[0].Name} was written, which does not become {root}.");
        for (var i = 1; i < _layouts.Length; i++)
        {
            // Types that are unknown here are passed where no field wants them, and refused where one does.
            if (!_layouts[i].IsOpen && _allowed.FindCarriedByName(_layouts[i].Name) is not null)
                PlanOf(i);
        }
    }

    public bool IsOf(AllowSet allowed) => ReferenceEquals(_allowed, allowed);

    /// <summary>The layout of a type of this process that the description is known to have.</summary>
    public TypeLayout Find(Type type) =>
        Array.Find(_layouts, layout => _registry.Names.Means(layout, type))
            ?? throw new UnreachableException($"The description of a type lacks its part {type}.");

    private ObjectPlan NewPlan(TypeLayout described)
    {
        var type = _allowed.FindByName(described.Name)?.Type
            ?? throw _allowed.Unknown(described.Name);
        if (type.IsValueType)
            return (ObjectPlan)Activations.New(typeof(BoxPlan<>), [type], _slots.NewSlot(type, described, null));
        var own = _registry.Layouts.Of(type);
        if (described.IsValue)
            throw Throw.Layout(described.Name, $"{described.Name} was written as a struct and is a class here.");
        if (!LayoutForms.AreSame(described, own, _registry.Names))
            throw Throw.Layout(described.Name, $"{described.Name} was written in another form than it has here.");
        return new PlanFactory(_slots, _registry.Rules).NewPlan(type);
    }
}
