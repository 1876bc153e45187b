namespace Cluster.Benchmarks.Cache;

/// <summary>A store of 64-byte values under long keys: ours or a rival's. Disposal gives its memory back.</summary>
internal interface ICacheContender : IDisposable
{
    /// <summary>Inserts dense keys on the calling thread.</summary>
    void Fill(long first, long count);

    /// <summary>Copies the values of keys on the calling thread, going round in them.</summary>
    /// <param name="keys">The keys; their number is a power of two.</param>
    /// <param name="first">Where to begin in them.</param>
    /// <param name="count">How many reads.</param>
    void Read(long[] keys, int first, int count);
}
