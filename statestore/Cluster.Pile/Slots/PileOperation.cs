namespace Cluster.Pile.Slots;

/// <summary>An operation of the calling thread in one pile, until its disposal.</summary>
internal readonly ref struct PileOperation(ThreadCache cache)
{
    public ThreadCache Cache { get; } = cache;

    public void Dispose() => Cache.Exit();
}
