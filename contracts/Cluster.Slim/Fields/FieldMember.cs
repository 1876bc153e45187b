using Cluster.Slim.Messages;

namespace Cluster.Slim.Fields;

/// <summary>One carried field of a type and the field serializer for its values.</summary>
/// <param name="Field">The field.</param>
/// <param name="Serializer">How its values are written and read.</param>
internal sealed record FieldMember(FieldInfo Field, FieldSerializer Serializer);
