namespace Cluster.Benchmarks.Glue;

/// <summary>What the peer process serves for the rows about large calls.</summary>
public interface IBulkPeer
{
    /// <summary>Takes bytes; returns how many.</summary>
    /// <param name="bytes">The load.</param>
    ValueTask<int> TakeAsync(byte[] bytes);

    /// <summary>Gives bytes.</summary>
    /// <param name="count">How many.</param>
    ValueTask<byte[]> GiveAsync(int count);

    /// <summary>The small call beside them.</summary>
    /// <param name="left">A summand.</param>
    /// <param name="right">A summand.</param>
    ValueTask<int> AddAsync(int left, int right);
}
