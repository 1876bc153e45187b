using Cluster.Slim.Fields;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Versions;

/// <summary>The fields of a described type, read into the type of this process. The untyped part.</summary>
internal abstract class DescribedFields
{
    /// <summary>The fields in the form that serializers expect.</summary>
    public abstract object NewFieldSet(int bytesMin);
}

/// <summary>The fields of a described type, in the order in which they were written. Immutable.</summary>
/// <typeparam name="T">The type in this process.</typeparam>
internal sealed class DescribedFields<T>(FieldReader[] readers) : DescribedFields
{
    private readonly FieldReader<T>[] _readers = Array.ConvertAll(readers, static r => (FieldReader<T>)r);

    public override object NewFieldSet(int bytesMin) => new FieldSet<T>(Math.Max(1, bytesMin), Read);

    private void Read(SlimReader reader, ref T instance)
    {
        var trace = reader.Trace;
        foreach (var field in _readers)
        {
            trace?.Push(field.Member);
            field.Read(reader, ref instance);
            trace?.Pop();
        }
    }
}
