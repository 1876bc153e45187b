namespace Cluster.Testing.Caching;

/// <summary>Sequences of keys with which tests judge caches. The same seed gives the same sequence.
/// Stateless.</summary>
public static class AccessPatterns
{
    /// <summary>Keys from zero on, drawn by Zipf's law.</summary>
    public static IEnumerable<long> Zipf(int seed, long keys, double exponent, long length)
    {
        var generator = new ZipfGenerator(seed, keys, exponent);
        for (long i = 0; i < length; i++)
            yield return generator.Next();
    }

    /// <summary>Each key once, in order.</summary>
    public static IEnumerable<long> Scan(long firstKey, long length)
    {
        for (long i = 0; i < length; i++)
            yield return firstKey + i;
    }

    /// <summary>The same keys in the same order, again and again: the worst case for least-recently-used
    /// order.</summary>
    public static IEnumerable<long> Loop(long keys, long length)
    {
        for (long i = 0; i < length; i++)
            yield return i % keys;
    }

    /// <summary>Keys drawn by Zipf's law, mixed with a scan over keys that appear only once. The keys of the scan are
    /// spread evenly over the whole sequence.</summary>
    public static IEnumerable<(long Key, bool IsScan)> ZipfBesideScan(
        int seed, (long Keys, double Exponent) law, long length, long scanLength)
    {
        var generator = new ZipfGenerator(seed, law.Keys, law.Exponent);
        long scanned = 0;
        for (long i = 0; i < length; i++)
        {
            yield return (generator.Next(), false);
            for (var due = (i + 1) * scanLength / length; scanned < due; scanned++)
                yield return (law.Keys + scanned, true);
        }
    }
}
