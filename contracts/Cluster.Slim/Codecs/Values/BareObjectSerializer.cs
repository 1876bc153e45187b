using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Values;

/// <summary>Writes and reads an instance of exactly <see cref="object"/>, which has nothing but its identity.</summary>
internal sealed class BareObjectSerializer() : TypeSerializer(typeof(object))
{
    public override void Describe(LayoutBuilder layout)
    {
    }

    public override object Create(SlimReader reader)
    {
        reader.Charge(24);
        return new object();
    }
}
