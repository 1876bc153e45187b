using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>An object of a framework class that is a value in all but name. Everything is head.</summary>
/// <typeparam name="T">The class.</typeparam>
/// <typeparam name="TCodec">How it is written and rebuilt.</typeparam>
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
