using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads objects of a framework class without references to user objects. All of it is
/// head.</summary>
/// <typeparam name="T">The class.</typeparam>
/// <typeparam name="TCodec">Writes and rebuilds the object.</typeparam>
internal sealed class LeafSerializer<T, TCodec>() : TypeSerializer(typeof(T))
    where T : class
    where TCodec : struct, ILeafCodec<T>
{
    public const int ObjectBytes = 96;


    public override bool HasBody => false;

    public override void Describe(LayoutBuilder layout) => TCodec.Describe(layout.Creation);

    public override void WriteHead(SlimWriter writer, object value)
    {
        var start = writer.BytesWritten;
        TCodec.Write(writer, (T)value);
        writer.Doubts.ForeseeCodec(writer.BytesWritten - start);
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(ObjectBytes);
        return TCodec.Read(reader);
    }
}
