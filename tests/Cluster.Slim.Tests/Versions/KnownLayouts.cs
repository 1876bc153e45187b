using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Versions;

/// <summary>Descriptions of layouts beside messages, as a host keeps them. Thread-safe.</summary>
internal sealed class KnownLayouts : ISlimKnownLayouts
{
    private readonly ConcurrentDictionary<ulong, byte[]> _known = new();

    public ICollection<ulong> Fingerprints => _known.Keys;

    public void Written(ulong fingerprint, byte[] description)
    {
        Assert.Equal(fingerprint, SlimLayouts.FingerprintOf(description));
        _known[fingerprint] = description;
    }

    public byte[]? Find(ulong fingerprint) => _known.GetValueOrDefault(fingerprint);
}
