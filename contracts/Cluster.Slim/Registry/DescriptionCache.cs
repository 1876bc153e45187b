using Cluster.Slim.Hosting;
using Cluster.Slim.Versions;

namespace Cluster.Slim.Registry;

/// <summary>Descriptions of other layouts that one closed list has met, by their bytes: a stranger may send any
/// fingerprint, and one false fingerprint would spoil the entry for all others. At its limit the cache starts over, so
/// that strangers cannot make it grow. The lock protects it; only messages of other layouts use it.</summary>
internal sealed class DescriptionCache(int countMax, int bytesMax)
{
    private readonly Lock _using = new();
    private readonly Dictionary<byte[], DescribedTypes> _known = new(new ByContent());
    private int _bytes;

    public int Count => _known.Count;

    public DescribedTypes GetOrAdd(byte[] text, Func<byte[], DescribedTypes> make)
    {
        lock (_using)
        {
            if (_known.TryGetValue(text, out var known))
                return known;
        }

        // Made outside the lock: a thread that loses the race has made an equal object.
        var types = make(text);
        lock (_using)
            Keep(text, types);
        return types;
    }

    private void Keep(byte[] text, DescribedTypes types)
    {
        if (text.Length > bytesMax)
            return;
        if (_known.Count >= countMax || _bytes + text.Length > bytesMax)
        {
            _known.Clear();
            _bytes = 0;
        }

        if (_known.TryAdd(text, types))
            _bytes += text.Length;
    }

    /// <summary>Compares descriptions byte by byte.</summary>
    private sealed class ByContent : IEqualityComparer<byte[]>
    {
        public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

        public int GetHashCode([DisallowNull] byte[] obj) => XxHash3.Hash(obj).GetHashCode();
    }
}
