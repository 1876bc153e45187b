namespace Cluster.Testing.Caching;

/// <summary>A simulated cache without values, whose entries all have one size: it shows which keys a policy keeps. A
/// reference for hit ratios; used by one thread.</summary>
public interface ICacheSimulator
{
    /// <summary>Looks up a key and adds it if it is missing. Returns true for a hit.</summary>
    bool Access(long key);
}
