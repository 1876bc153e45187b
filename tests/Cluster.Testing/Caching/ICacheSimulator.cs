namespace Cluster.Testing.Caching;

/// <summary>A cache without values, entries all of one size: what a policy would keep. Reference for hit ratios; one
/// thread.</summary>
public interface ICacheSimulator
{
    /// <summary>Asks for a key and takes it in when it is not there; true for a hit.</summary>
    bool Access(long key);
}
