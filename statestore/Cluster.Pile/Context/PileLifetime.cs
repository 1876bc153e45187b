namespace Cluster.Pile.Context;

/// <summary>Whether a pile was disposed. Shared by the pile and its tables; a single word that changes once.</summary>
internal sealed class PileLifetime
{
    private bool _isOver;

    public void End() => Volatile.Write(ref _isOver, true);

    public void ThrowIfOver()
    {
        if (Volatile.Read(ref _isOver))
            PileErrors.Disposed();
    }
}
