using Cluster.Slim.Codecs.Arrays;
using Cluster.Slim.Codecs.Callbacks;
using Cluster.Slim.Codecs.Exceptions;
using Cluster.Slim.Codecs.ObjectModel;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Messages;
using Cluster.Slim.Types;
using Cluster.Slim.Types.Policy;

namespace Cluster.Slim.Registry;

/// <summary>Decides how a type is carried: by a user's codec, by one of ours, or field by field; or why it is not. Has
/// no state of its own; called by its slots.</summary>
internal sealed class PlanFactory(SlotSource slots, TypeRules rules)
{
    public void ThrowIfNotCarried(Type type)
    {
        if (Refusals.ReasonFor(type, rules) is { } reason)
            throw Throw.NotSupported(type, reason);
    }

    public ObjectPlan NewPlan(Type type)
    {
        ThrowIfNotCarried(type);
        if (Nullable.GetUnderlyingType(type) is not null)
            throw Throw.NotSupported(type, "no object is nullable; a value in a box has the type inside of it.");
        if (type == typeof(string))
            return new StringPlan();
        if (type == typeof(HostReference))
            return new HostReferencePlan();
        if (type.IsValueType)
            return (ObjectPlan)New(typeof(BoxPlan<>), [type], slots.SlotOf(type));
        if (rules.Codecs.TryGetValue(type, out var codec))
            return (ObjectPlan)New(typeof(UserCodecPlan<>), [type], codec);
        if (typeof(Delegate).IsAssignableFrom(type))
            return new DelegatePlan(type, rules.Methods);
        if (type.IsSZArray)
            return (ObjectPlan)New(typeof(ArrayPlan<>), [type.GetElementType()!], slots);
        if (type.IsArray)
            return (ObjectPlan)New(typeof(MultiArrayPlan<>), [type.GetElementType()!], type, slots);
        if (TypeRules.IsFramework(type) && !typeof(Exception).IsAssignableFrom(type))
            return FrameworkCodecs.NewPlan(type, slots)!;
        if (SelfSerialization.IsPresent(type))
            return new SerializablePlan(type, slots.Own);
        var plan = NewUserPlan(type);
        return TypeCallbacks.Find(type) is { } callbacks ? new CallbackPlan(plan, callbacks) : plan;
    }

    private ObjectPlan NewUserPlan(Type type)
    {
        var fields = slots.FindFields(type);
        if (typeof(Exception).IsAssignableFrom(type))
            return (ObjectPlan)New(typeof(ExceptionPlan<>), [type], fields!, slots);
        var bytes = TypeShape.InstanceBytesOf(TypeShape.FieldsOf(type));
        if (FrameworkForms.BaseCollectionOf(type) is { } collection)
        {
            var plan = FrameworkCodecs.NewPlan(collection, slots)!;
            return (ObjectPlan)New(typeof(DerivedCollectionPlan<>), [type], plan, fields!, bytes);
        }

        return (ObjectPlan)New(typeof(FieldsPlan<>), [type], fields ?? NewFieldSet(type, []), bytes);
    }

    public Slot NewSlot(Type type)
    {
        if (type == typeof(string))
            return new StringSlot();
        if (!type.IsValueType)
            return (Slot)New(typeof(ReferenceSlot<>), [type], slots);
        if (rules.Codecs.TryGetValue(type, out var codec))
            return (Slot)New(typeof(UserCodecSlot<>), [type], codec);
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return (Slot)New(typeof(NullableSlot<>), [underlying], slots.SlotOf(underlying));
        if (FrameworkCodecs.FindFixedKind(type) is { } kind)
            return (Slot)New(typeof(FixedSlot<,>), [type, kind]);
        if (FrameworkCodecs.FindSlot(type) is { } open)
            return (Slot)New(open, type.IsGenericType ? type.GetGenericArguments() : [], slots);
        if (Refusals.ReasonFor(type, rules) is { } reason)
            return (Slot)New(typeof(RefusedSlot<>), [type], reason);
        var runsCode = SelfSerialization.IsPresent(type) || CallbackMethods.ArePresent(type);
        var fields = NewFieldsSlot(type, canBeBlock: !runsCode);
        return runsCode ? (Slot)New(typeof(HonouredSlot<>), [type], fields, slots.Own) : fields;
    }

    private Slot NewFieldsSlot(Type type, bool canBeBlock)
    {
        if (InlineElements.Find(type) is { } inline)
            return (Slot)New(typeof(InlineSlot<,>), [type, inline.Element], slots, inline.Length);
        if (Overlays.IsBlock(type))
            return (Slot)New(typeof(FixedSlot<,>), [type, typeof(OverlaidKind<>).MakeGenericType(type)]);
        var members = MembersOf(type);
        var fields = NewFieldSet(type, members);
        return canBeBlock && !Overlays.HasOverlaps(type) && members.Length > 0
            && Array.TrueForAll(members, static m => m.Slot is IFixedSlot)
            ? (Slot)New(typeof(FixedStructSlot<>), [type], fields, members)
            : (Slot)New(typeof(StructSlot<>), [type], fields, members.Length == 0);
    }

    public static object NewFieldSet(Type type, FieldMember[] members) => New(typeof(FieldSet<>), [type], [members]);

    public FieldMember[] MembersOf(Type type)
    {
        IEnumerable<FieldInfo> fields = FrameworkForms.IsPublicFieldsStruct(type)
            ? type.GetFields(BindingFlags.Instance | BindingFlags.Public).OrderBy(static f => f.MetadataToken)
            : TypeShape.FieldsOf(type);
        return [.. fields.Select(f => new FieldMember(f, slots.SlotOf(f.FieldType)))];
    }

    private static object New(Type open, Type[] arguments, params object[] values) =>
        Activations.New(open, arguments, values);
}
