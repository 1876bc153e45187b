namespace Cluster.Glue.Scheduling;

/// <summary>Limits the bytes of all requests that are being received. Each request gives back what it took. Atomic
/// counting.</summary>
/// <param name="bytesMax">The limit in bytes.</param>
/// <param name="option">The option that sets the limit, for messages.</param>
internal sealed class ByteBudget(long bytesMax, string option)
{
    private long _taken;

    public long BytesMax => bytesMax;

    public string Option => option;

    public long Taken => Volatile.Read(ref _taken);

    public bool TryTake(long bytes)
    {
        if (Interlocked.Add(ref _taken, bytes) <= bytesMax)
            return true;
        Interlocked.Add(ref _taken, -bytes);
        return false;
    }

    public void GiveBack(long bytes) => Interlocked.Add(ref _taken, -bytes);
}
