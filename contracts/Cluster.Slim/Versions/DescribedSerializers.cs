using Cluster.Slim.Codecs.Callbacks;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Versions;

/// <summary>The field serializers that read values of one description into places of types of this process: which pairs
/// of types fit, and how. Stateless except for the description.</summary>
internal sealed class DescribedSerializers(DescribedTypes types, SerializerRegistry registry)
    : SerializerSource(registry.Rules)
{
    /// <summary>The exception of field serializers of other layouts when they are asked to write.</summary>
    public static InvalidOperationException NeverWritten() => new("Slots of other layouts only read.");

    public override SerializerSource Own => registry;

    public override TypeSerializer SerializerOf(Type type) => registry.SerializerOf(type);

    /// <summary>The field serializer for a part of a framework type, whose described name is that of the type. The
    /// description contains the part, because its form was found to be equal, and the form names all parts.</summary>
    public override FieldSerializer FieldSerializerOf(Type type) =>
        WireTypes.CodeOf(type) != 0
            ? registry.FieldSerializerOf(type)
            : NewFieldSerializer(type, types.Find(type), null);

    public override object? FindFields(Type type)
    {
        var described = types.Find(type);
        return described.Body.Any(static s => s.Op == LayoutOp.Fields) ? FieldsOf(type, described) : null;
    }

    /// <summary>The field serializer for a place of one type in which values of another type were written.</summary>
    /// <param name="own">The type of the place in this process.</param>
    /// <param name="described">The written type.</param>
    /// <param name="member">The member that is the place, if it is one.</param>
    public FieldSerializer NewFieldSerializer(Type own, TypeLayout described, string? member)
    {
        if (described.Type is { } written && written == WireTypes.WrittenTypeOf(own))
            return registry.FieldSerializerOf(own);
        if (own == typeof(string) || described.IsText || own.IsValueType != described.IsValue)
            throw Incompatible(own, described, member);
        if (!own.IsValueType)
            return (FieldSerializer)Activations.New(
                typeof(DescribedReferenceFieldSerializer<>), [own], described, types, member!);
        if (NumberTypes.Find(own) is { } number && NumberTypes.Find(described) is { } other)
            return NumberFieldSerializer(own, number, other, member ?? described.Name);
        return NewNullable(own, described, member) ?? NewStruct(own, described, member);
    }

    private FieldSerializer NumberFieldSerializer(Type own, Type number, Type written, string member) =>
        number == written
        ? registry.FieldSerializerOf(own)
        : (FieldSerializer)Activations.New(
            typeof(NumberFieldSerializer<,,>), [written, number, own], registry.FieldSerializerOf(written), member);

    private FieldSerializer? NewNullable(Type own, TypeLayout described, string? member)
    {
        var inner = described.Body is [{ Op: LayoutOp.Optional } step] ? step.Types[0] : null;
        if (Nullable.GetUnderlyingType(own) is { } underlying)
        {
            return inner is not null
                ? (FieldSerializer)Activations.New(
                    typeof(NullableFieldSerializer<>), [underlying], NewFieldSerializer(underlying, inner, member))
                : (FieldSerializer)Activations.New(
                    typeof(LiftedFieldSerializer<>), [underlying], NewFieldSerializer(underlying, described, member));
        }

        return inner is null
            ? null
            : (FieldSerializer)Activations.New(
                typeof(RequiredFieldSerializer<>), [own], NewFieldSerializer(own, inner, member), member ?? inner.Name);
    }

    private FieldSerializer NewStruct(Type own, TypeLayout described, string? member)
    {
        if (!registry.Names.Means(described, own))
            throw Incompatible(own, described, member);
        var serializer = registry.FieldSerializerOf(own);
        if (HasFields(own, serializer))
        {
            var isEmpty = described.Body is [{ Op: LayoutOp.Bytes, Count: 1 }];
            if (!isEmpty && described.Body is not [{ Op: LayoutOp.Fields }])
                throw Incompatible(own, described, member);
            var fields = Activations.New(typeof(StructFieldSerializer<>), [own], FieldsOf(own, described), isEmpty);
            return serializer.GetType().GetGenericTypeDefinition() == typeof(HonouredFieldSerializer<>)
                ? (FieldSerializer)Activations.New(typeof(HonouredFieldSerializer<>), [own], fields, registry)
                : (FieldSerializer)fields;
        }

        var layout = registry.Layouts.Of(own);
        if (!LayoutForms.AreSame(described, layout, registry.Names) || !HaveSameBlock(described, layout))
            throw Incompatible(own, described, member);

        // Where all parts have a code, nothing depends on the description. Structs with their own serialization code
        // have fields that the description does not know.
        return layout.Body.Any(static s => s.Types.Any(static t => t.WireCode == 0))
            ? new SerializerFactory(this, Rules).NewFieldSerializer(own)
            : serializer;
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
        var serializer = NewFieldSerializer(own.FieldType, field.Type, member);
        return (FieldReader)Activations.New(typeof(AssigningReader<,>), [type, own.FieldType], own, serializer);
    }

    private bool HasFields(Type own, FieldSerializer serializer)
    {
        var definition = serializer.GetType().IsGenericType ? serializer.GetType().GetGenericTypeDefinition() : null;
        return definition == typeof(StructFieldSerializer<>) || definition == typeof(FixedStructFieldSerializer<>)
            || (definition == typeof(HonouredFieldSerializer<>) && IsFieldByField(registry.Layouts.Of(own)));
    }

    private static bool IsFieldByField(TypeLayout own) =>
        own.Body is [{ Op: LayoutOp.Fields }] || (own.Body is [{ Op: LayoutOp.Bytes, Count: 1 }] && own.Fields is []);

    // Fields that share bytes are not read one by one: the whole block must be equal.
    private bool HaveSameBlock(TypeLayout described, TypeLayout own) =>
        described.Fields.Length == own.Fields.Length && described.Fields.Zip(own.Fields).All(pair =>
            pair.First.Name == pair.Second.Name && registry.Names.Means(pair.First.Type, pair.Second.Type.Type!));

    private static SlimLayoutException Incompatible(Type own, TypeLayout described, string? member) => Throw.Layout(
        described.Name,
        $"{member ?? described.Name} was written as {described.Name}, which does not become {TypeNames.Of(own)}.");
}
