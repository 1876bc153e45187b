using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>Skips a field that this process's type does not have.</summary>
/// <typeparam name="T">The type in this process.</typeparam>
internal sealed class SkippingReader<T>(FieldLayout field) : FieldReader<T>(FieldNames.MemberOf(field.Name))
{
    public override void Read(SlimReader reader, ref T instance) => reader.Skip(field.Type);
}
