namespace Cluster.Slim.Skipping;

/// <summary>A deferred body that needs more than a plain read.</summary>
internal abstract class LaterBody
{
    /// <summary>The memory of one such body in the queue.</summary>
    public const int Bytes = 64;

    public abstract void Read();
}
