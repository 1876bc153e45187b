using Cluster.Slim.Hosting;

namespace Cluster.Glue.Client;

/// <summary>Copies one value of a type from one message into another. Stateless.</summary>
internal abstract class ValueCopier
{
    public static ValueCopier Of(Type type) =>
        (ValueCopier)Activator.CreateInstance(typeof(ValueCopier<>).MakeGenericType(type))!;

    public abstract void Copy(SlimMessageReader reader, SlimMessageWriter writer);
}

/// <summary>The copier with its type. Stateless.</summary>
internal sealed class ValueCopier<T> : ValueCopier
{
    public override void Copy(SlimMessageReader reader, SlimMessageWriter writer) => writer.Write(reader.Read<T>());
}
