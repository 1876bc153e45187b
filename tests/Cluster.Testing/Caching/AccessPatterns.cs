namespace Cluster.Testing.Caching;

/// <summary>Streams of keys that caches are judged by. Each repeats itself with the same seed. Stateless.</summary>
public static class AccessPatterns
{
    /// <summary>Keys from zero on, drawn after Zipf's law.</summary>
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

    /// <summary>The same keys in the same order, again and again: the worst of least-recently-used order.</summary>
    public static IEnumerable<long> Loop(long keys, long length)
    {
        for (long i = 0; i < length; i++)
            yield return i % keys;
    }

    /// <summary>Zipf's law with a scan over keys that never come again woven in: after each key of the law a number of
    /// the scan, on the average, until the scan is over.</summary>
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
