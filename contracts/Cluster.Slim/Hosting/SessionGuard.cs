namespace Cluster.Slim.Hosting;

/// <summary>Detects that a session is used by two threads at once or after it was closed. Its counter is
/// interlocked.</summary>
internal sealed class SessionGuard(string owner)
{
    private const int Free = 0;
    private const int Busy = 1;
    private const int Closed = 2;

    private int _state;

    public void Enter()
    {
        var before = Interlocked.CompareExchange(ref _state, Busy, Free);
        ObjectDisposedException.ThrowIf(before == Closed, owner);
        if (before == Busy)
            throw new InvalidOperationException($"A {owner} belongs to one thread at a time; two calls overlap.");
    }

    public void Leave() => Volatile.Write(ref _state, Free);

    public void Close() => Volatile.Write(ref _state, Closed);
}
