using Cluster.Slim.Messages;

namespace Cluster.Slim.Skipping;

/// <summary>The body of an object that was skipped and then built.</summary>
internal sealed class ReplayedBody(SkippedObjects skipped, int index, TypeSerializer serializer, object instance)
    : LaterBody
{
    public override void Read() => skipped.ReadBodyAgain(serializer, instance, index);
}
