namespace Cluster.Benchmarks.Cache;

/// <summary>A store of 64-byte values under long keys: ours or a rival's. Disposal gives its memory back.</summary>
internal interface ICacheContender : IDisposable
{
    /// <summary>Begins the work of the calling thread, which makes all its calls on what this gives.</summary>
    ICacheSession Begin();
}
