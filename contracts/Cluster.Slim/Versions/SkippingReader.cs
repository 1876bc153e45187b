using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>A field that the type here does not have.</summary>
/// <typeparam name="T">The type here.</typeparam>
internal sealed class SkippingReader<T>(FieldLayout field) : FieldReader<T>(FieldNames.MemberOf(field.Name))
{
    public override void Read(SlimReader reader, ref T instance) => reader.Skip(field.Type);
}
