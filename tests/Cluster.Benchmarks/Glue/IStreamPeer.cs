namespace Cluster.Benchmarks.Glue;

/// <summary>What the peer process serves for the rows about streams.</summary>
public interface IStreamPeer
{
    /// <summary>Gives items at once.</summary>
    /// <param name="count">How many.</param>
    /// <param name="bytes">The size of each.</param>
    IAsyncEnumerable<byte[]> GiveAsync(int count, int bytes);
}
