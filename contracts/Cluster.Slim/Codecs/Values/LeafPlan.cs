using Cluster.Slim.Layouts;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>An object of a framework class that is a value in all but name. Everything is head.</summary>
/// <typeparam name="T">The class.</typeparam>
/// <typeparam name="TCodec">How it is written and rebuilt.</typeparam>
internal sealed class LeafPlan<T, TCodec>() : ObjectPlan(typeof(T))
    where T : class
    where TCodec : struct, ILeafCodec<T>
{
    internal const int ObjectBytes = 96;


    internal override bool HasBody => false;

    internal override void Describe(LayoutBuilder layout) => TCodec.Describe(layout.Creation);

    internal override void WriteHead(SlimWriter writer, object value)
    {
        long start = writer.BytesWritten;
        TCodec.Write(writer, (T)value);
        writer.Doubts.ForeseeCodec(writer.BytesWritten - start);
    }

    internal override object Create(SlimReader reader)
    {
        reader.Charge(ObjectBytes);
        return TCodec.Read(reader);
    }
}
