namespace Cluster.Slim.Skipping;

/// <summary>The body of an object that was skipped.</summary>
internal sealed class SkippedBody(SkippedObjects skipped, int index, int length) : LaterBody
{
    public override void Read() => skipped.ReadBody(index, length);
}
