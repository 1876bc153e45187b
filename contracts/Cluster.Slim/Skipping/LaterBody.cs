namespace Cluster.Slim.Skipping;

/// <summary>A body among those that wait which is not simply read.</summary>
internal abstract class LaterBody
{
    /// <summary>What one costs in the queue.</summary>
    public const int Bytes = 64;

    public abstract void Read();
}
