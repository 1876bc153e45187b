using Cluster.Slim.Codecs.Callbacks;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Versions;

/// <summary>The slots that read what was written by one description into places of types of this process: which pairs
/// of types go together, and how. Stateless beside the description.</summary>
internal sealed class DescribedSlots(DescribedTypes types, PlanRegistry registry) : SlotSource(registry.Rules)
{
    /// <summary>What slots of other layouts throw when they are asked to write.</summary>
    public static InvalidOperationException NeverWritten() => new("Slots of other layouts only read.");

    public override SlotSource Own => registry;

    public override ObjectPlan PlanOf(Type type) => registry.PlanOf(type);

    /// <summary>The slot for a part of a framework type, whose described name is that of the type. The description has
    /// it, because its form was found to be the same, and the form names all parts.</summary>
    public override Slot SlotOf(Type type) =>
        WireTypes.CodeOf(type) != 0 ? registry.SlotOf(type) : NewSlot(type, types.Find(type), null);

    public override object? FindFields(Type type)
    {
        var described = types.Find(type);
        return described.Body.Any(static s => s.Op == LayoutOp.Fields) ? FieldsOf(type, described) : null;
    }

    /// <summary>The slot for a place of one type in which values of another one were written.</summary>
    /// <param name="own">The type of the place here.</param>
    /// <param name="described">What was written.</param>
    /// <param name="member">The member that is the place, if it is one.</param>
    public Slot NewSlot(Type own, TypeLayout described, string? member)
    {
        if (described.Type == own)
            return registry.SlotOf(own);
        if (own == typeof(string) || described.IsText || own.IsValueType != described.IsValue)
            throw Incompatible(own, described, member);
        if (!own.IsValueType)
            return (Slot)Activations.New(typeof(DescribedReferenceSlot<>), [own], described, types, member!);
        if (NumberTypes.Find(own) is { } number && NumberTypes.Find(described) is { } written)
            return NumberSlot(own, number, written, member ?? described.Name);
        return NewNullable(own, described, member) ?? NewStruct(own, described, member);
    }

    private Slot NumberSlot(Type own, Type number, Type written, string member) => number == written
        ? registry.SlotOf(own)
        : (Slot)Activations.New(typeof(NumberSlot<,,>), [written, number, own], registry.SlotOf(written), member);

    private Slot? NewNullable(Type own, TypeLayout described, string? member)
    {
        var inner = described.Body is [{ Op: LayoutOp.Optional } step] ? step.Types[0] : null;
        if (Nullable.GetUnderlyingType(own) is { } underlying)
        {
            return inner is not null
                ? (Slot)Activations.New(typeof(NullableSlot<>), [underlying], NewSlot(underlying, inner, member))
                : (Slot)Activations.New(typeof(LiftedSlot<>), [underlying], NewSlot(underlying, described, member));
        }

        return inner is null
            ? null
            : (Slot)Activations.New(typeof(RequiredSlot<>), [own], NewSlot(own, inner, member), member ?? inner.Name);
    }

    private Slot NewStruct(Type own, TypeLayout described, string? member)
    {
        if (!registry.Names.Means(described, own))
            throw Incompatible(own, described, member);
        var slot = registry.SlotOf(own);
        if (HasFields(own, slot))
        {
            var isEmpty = described.Body is [{ Op: LayoutOp.Bytes, Count: 1 }];
            if (!isEmpty && described.Body is not [{ Op: LayoutOp.Fields }])
                throw Incompatible(own, described, member);
            var fields = Activations.New(typeof(StructSlot<>), [own], FieldsOf(own, described), isEmpty);
            return slot.GetType().GetGenericTypeDefinition() == typeof(HonouredSlot<>)
                ? (Slot)Activations.New(typeof(HonouredSlot<>), [own], fields, registry)
                : (Slot)fields;
        }

        var layout = registry.Layouts.Of(own);
        if (!LayoutForms.AreSame(described, layout, registry.Names) || !HaveSameBlock(described, layout))
            throw Incompatible(own, described, member);

        // Where all parts have a code nothing depends on the description; structs that say themselves what is carried
        // of them have fields that it does not know.
        return layout.Body.Any(static s => s.Types.Any(static t => t.WireCode == 0))
            ? new PlanFactory(this, Rules).NewSlot(own)
            : slot;
    }

    private object FieldsOf(Type type, TypeLayout described)
    {
        var fields = new FieldMatching(registry.Rules, registry.Names).Match(type, described);
        var readers = new FieldReader[fields.Length];
        for (var i = 0; i < fields.Length; i++)
            readers[i] = NewReader(type, described, described.Fields[i], fields[i]);
        return ((DescribedFields)Activations.New(typeof(DescribedFields<>), [type], [readers]))
            .NewFieldSet(described.BytesMin);
    }

    private FieldReader NewReader(Type type, TypeLayout described, FieldLayout field, FieldInfo? own)
    {
        if (own is null)
            return (FieldReader)Activations.New(typeof(SkippingReader<>), [type], field);
        var member = $"{described.Name}.{FieldNames.MemberOf(field.Name)}";
        var slot = NewSlot(own.FieldType, field.Type, member);
        return (FieldReader)Activations.New(typeof(AssigningReader<,>), [type, own.FieldType], own, slot);
    }

    private bool HasFields(Type own, Slot slot)
    {
        var definition = slot.GetType().IsGenericType ? slot.GetType().GetGenericTypeDefinition() : null;
        return definition == typeof(StructSlot<>) || definition == typeof(FixedStructSlot<>)
            || (definition == typeof(HonouredSlot<>) && IsFieldByField(registry.Layouts.Of(own)));
    }

    private static bool IsFieldByField(TypeLayout own) =>
        own.Body is [{ Op: LayoutOp.Fields }] || (own.Body is [{ Op: LayoutOp.Bytes, Count: 1 }] && own.Fields is []);

    // Fields that share bytes are not read one by one: the block has to be the same.
    private bool HaveSameBlock(TypeLayout described, TypeLayout own) =>
        described.Fields.Length == own.Fields.Length && described.Fields.Zip(own.Fields).All(pair =>
            pair.First.Name == pair.Second.Name && registry.Names.Means(pair.First.Type, pair.Second.Type.Type!));

    private static SlimLayoutException Incompatible(Type own, TypeLayout described, string? member) => Throw.Layout(
        described.Name,
        $"{member ?? described.Name} was written as {described.Name}, which does not become {TypeNames.Of(own)}.");
}
