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

/// <summary>Decides how a type is carried: by a user's codec, by a built-in codec, or field by field; or why it is not
/// carried. Stateless; the field serializers call it.</summary>
internal sealed class SerializerFactory(SerializerSource source, TypeRules rules)
{
    public void ThrowIfNotCarried(Type type)
    {
        if (Refusals.ReasonFor(type, rules) is { } reason)
            throw Throw.NotSupported(type, reason);
    }

    public TypeSerializer NewSerializer(Type type)
    {
        ThrowIfNotCarried(type);
        if (Nullable.GetUnderlyingType(type) is not null)
            throw Throw.NotSupported(type, "no object is nullable; a value in a box has the type inside of it.");
        if (type == typeof(string))
            return new StringSerializer();
        if (type == typeof(HostReference))
            return new HostReferenceSerializer();
        if (type.IsValueType)
            return (TypeSerializer)New(typeof(BoxSerializer<>), [type], source.FieldSerializerOf(type));
        if (rules.Codecs.TryGetValue(type, out var codec))
            return (TypeSerializer)New(typeof(UserCodecSerializer<>), [type], codec);
        if (typeof(Delegate).IsAssignableFrom(type))
            return new DelegateSerializer(type, rules.Methods);
        if (type.IsSZArray)
            return (TypeSerializer)New(typeof(ArraySerializer<>), [type.GetElementType()!], source);
        if (type.IsArray)
            return (TypeSerializer)New(typeof(MultiArraySerializer<>), [type.GetElementType()!], type, source);
        if (TypeRules.IsFramework(type) && !typeof(Exception).IsAssignableFrom(type))
            return FrameworkCodecs.NewSerializer(type, source)!;
        if (SelfSerialization.IsPresent(type))
            return new ContentSerializer(type, source.Own);
        var serializer = NewUserSerializer(type);
        return TypeCallbacks.Find(type) is { } callbacks ? new CallbackSerializer(serializer, callbacks) : serializer;
    }

    private TypeSerializer NewUserSerializer(Type type)
    {
        var fields = source.FindFields(type);
        if (typeof(Exception).IsAssignableFrom(type))
            return (TypeSerializer)New(typeof(ExceptionSerializer<>), [type], fields!, source);
        var bytes = TypeShape.InstanceBytesOf(TypeShape.FieldsOf(type));
        if (FrameworkForms.BaseCollectionOf(type) is { } collection)
        {
            var serializer = FrameworkCodecs.NewSerializer(collection, source)!;
            return (TypeSerializer)New(typeof(DerivedCollectionSerializer<>), [type], serializer, fields!, bytes);
        }

        return (TypeSerializer)New(typeof(FieldsSerializer<>), [type], fields ?? NewFieldSet(type, []), bytes);
    }

    public FieldSerializer NewFieldSerializer(Type type)
    {
        if (type == typeof(string))
            return new StringFieldSerializer();
        if (!type.IsValueType)
            return (FieldSerializer)New(typeof(ReferenceFieldSerializer<>), [type], source);
        if (type == typeof(SlimBytes))
            return new BytesFieldSerializer(source);
        if (rules.Codecs.TryGetValue(type, out var codec))
            return (FieldSerializer)New(typeof(UserCodecFieldSerializer<>), [type], codec);
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return (FieldSerializer)New(
                typeof(NullableFieldSerializer<>), [underlying], source.FieldSerializerOf(underlying));
        if (FrameworkCodecs.FindFixedKind(type) is { } kind)
            return (FieldSerializer)New(typeof(FixedFieldSerializer<,>), [type, kind]);
        if (FrameworkCodecs.FindFieldSerializer(type) is { } open)
            return (FieldSerializer)New(open, type.IsGenericType ? type.GetGenericArguments() : [], source);
        if (Refusals.ReasonFor(type, rules) is { } reason)
            return (FieldSerializer)New(typeof(RefusedFieldSerializer<>), [type], reason);
        var runsCode = SelfSerialization.IsPresent(type) || CallbackMethods.ArePresent(type);
        var fields = NewFieldsSerializer(type, canBeBlock: !runsCode);
        return runsCode ? (FieldSerializer)New(typeof(HonouredFieldSerializer<>), [type], fields, source.Own) : fields;
    }

    private FieldSerializer NewFieldsSerializer(Type type, bool canBeBlock)
    {
        if (InlineElements.Find(type) is { } inline)
            return (FieldSerializer)New(
                typeof(InlineFieldSerializer<,>), [type, inline.Element], source, inline.Length);
        if (Overlays.IsBlock(type))
            return (FieldSerializer)New(
                typeof(FixedFieldSerializer<,>), [type, typeof(OverlaidKind<>).MakeGenericType(type)]);
        var members = MembersOf(type);
        var fields = NewFieldSet(type, members);
        return canBeBlock && !Overlays.HasOverlaps(type) && members.Length > 0
            && Array.TrueForAll(members, static m => m.Serializer is IFixedFieldSerializer)
            ? (FieldSerializer)New(typeof(FixedStructFieldSerializer<>), [type], fields, members)
            : (FieldSerializer)New(typeof(StructFieldSerializer<>), [type], fields, members.Length == 0);
    }

    public static object NewFieldSet(Type type, FieldMember[] members) => New(typeof(FieldSet<>), [type], [members]);

    public FieldMember[] MembersOf(Type type)
    {
        IEnumerable<FieldInfo> fields = FrameworkForms.IsPublicFieldsStruct(type)
            ? type.GetFields(BindingFlags.Instance | BindingFlags.Public).OrderBy(static f => f.MetadataToken)
            : TypeShape.FieldsOf(type);
        return [.. fields.Select(f => new FieldMember(f, source.FieldSerializerOf(f.FieldType)))];
    }

    private static object New(Type open, Type[] arguments, params object[] values) =>
        Activations.New(open, arguments, values);
}
