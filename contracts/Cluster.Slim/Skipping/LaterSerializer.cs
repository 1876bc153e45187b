using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Skipping;

/// <summary>Lets such bodies wait in the queue of deferred bodies. Stateless.</summary>
internal sealed class LaterSerializer() : TypeSerializer(typeof(LaterBody))
{
    public static readonly LaterSerializer Instance = new();

    public override void Describe(LayoutBuilder layout) => throw new InvalidOperationException("Never written.");

    public override object Create(SlimReader reader) => throw new InvalidOperationException("Never created.");

    public override void ReadBody(SlimReader reader, object instance) => ((LaterBody)instance).Read();
}
