namespace Cluster.Benchmarks.Cache;

/// <summary>The loops of all contenders, compiled for each of them alone: calls by an interface that had seen all of
/// them took 7 of 24 ns.</summary>
internal abstract class CacheContender<TSession> : ICacheContender
    where TSession : struct, ICacheSession
{
    public void Fill(long first, long count)
    {
        using var session = Begin();
        var value = new byte[StoreTrial.ValueBytes];
        for (var key = first; key < first + count; key++)
        {
            value[(int)(key & (StoreTrial.ValueBytes - 1))]++;
            session.Insert(key, value);
        }
    }

    public void Read(long[] keys, int first, int count)
    {
        using var session = Begin();
        Span<byte> value = stackalloc byte[StoreTrial.ValueBytes];
        for (var i = first; i < first + count; i++)
        {
            if (!session.TryRead(keys[i & (keys.Length - 1)], value))
                throw new InvalidOperationException("A store has lost an entry.");
        }
    }

    public abstract void Dispose();

    /// <summary>Begins the work of the calling thread.</summary>
    protected abstract TSession Begin();
}
