using Cluster.Slim.Messages;
using Cluster.Slim.Types;

namespace Cluster.Slim.Fields;

/// <summary>Where serializers get the field serializers of their parts from: the registry for messages of this
/// process's own layouts, and a description for messages of others.</summary>
internal abstract class SerializerSource(TypeRules rules)
{
    public TypeRules Rules => rules;

    /// <summary>The field serializers of this process's own layouts.</summary>
    public abstract SerializerSource Own { get; }

    /// <summary>The serializer of a type by this process's own layout.</summary>
    public abstract TypeSerializer SerializerOf(Type type);

    /// <summary>How values in a place of the declared type are written and read.</summary>
    public abstract FieldSerializer FieldSerializerOf(Type type);

    public FieldSerializer<T> FieldSerializerOf<T>() => (FieldSerializer<T>)FieldSerializerOf(typeof(T));

    /// <summary>The fields of a user's type as a <see cref="FieldSet{T}"/>, or null if it is written without.</summary>
    public abstract object? FindFields(Type type);
}
