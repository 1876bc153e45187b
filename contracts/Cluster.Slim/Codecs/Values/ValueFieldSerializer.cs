using Cluster.Slim.Fields;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads a framework struct that holds no objects of the graph.</summary>
/// <typeparam name="T">The struct.</typeparam>
/// <typeparam name="TCodec">Writes and rebuilds the value.</typeparam>
/// <param name="source">Not used; all framework field serializers are created with it.</param>
internal sealed class ValueFieldSerializer<T, TCodec>(SerializerSource source) : FieldSerializer<T>
    where T : struct
    where TCodec : struct, IValueCodec<T>
{
    public override int BytesMin => TCodec.BytesMin;

    public SerializerSource Slots => source;

    public override void Describe(LayoutBuilder layout) => TCodec.Describe(layout.Body);

    public override void Write(SlimWriter writer, T value)
    {
        var start = writer.BytesWritten;
        TCodec.Write(writer, value);
        writer.Doubts.ForeseeCodec(writer.BytesWritten - start);
    }

    public override T Read(SlimReader reader) => TCodec.Read(reader);
}
