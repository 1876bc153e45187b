using Cluster.Glue.References;
using Cluster.Glue.Signatures;

namespace Cluster.Glue.Streams;

/// <summary>Makes the two ends of streams of an item type that is known only as a <see cref="Type"/>.
/// Stateless.</summary>
internal abstract class StreamShape
{
    private static readonly ConcurrentDictionary<Type, StreamShape> Known = new();

    /// <summary>The shape of a declared <c>IAsyncEnumerable</c>.</summary>
    public static StreamShape Of(Type declared) => Known.GetOrAdd(declared, static type =>
        (StreamShape)Activator.CreateInstance(typeof(StreamShape<>).MakeGenericType(type.GetGenericArguments()))!);

    public abstract Export NewExport(
        ReferenceTable table, ulong id, object source, ContractSerializer serializer);

    public abstract IStreamReference NewImport(ReferenceTable table, ulong id, ContractSerializer serializer);

    /// <summary>Wraps a stream of this process so that it keeps its service's scope until it has been read.</summary>
    public abstract object Scope(object stream, ReferenceLease lease);
}

/// <summary>The two ends of streams of one item type. Stateless.</summary>
internal sealed class StreamShape<T> : StreamShape
{
    public override Export NewExport(
        ReferenceTable table, ulong id, object source, ContractSerializer serializer) =>
        new StreamExport<T>(table, id, (IAsyncEnumerable<T>)source, serializer);

    public override IStreamReference NewImport(ReferenceTable table, ulong id, ContractSerializer serializer) =>
        new StreamReference<T>(table, id, serializer);

    public override object Scope(object stream, ReferenceLease lease) =>
        new ScopedStream<T>((IAsyncEnumerable<T>)stream, lease);
}
