namespace Cluster.Benchmarks.Rivals;

/// <summary>A value in memory, as a grain of Orleans for each key.</summary>
public interface IValueGrain : IGrainWithStringKey
{
    /// <summary>Reads the value.</summary>
    ValueTask<byte[]?> GetAsync();

    /// <summary>Writes the value.</summary>
    /// <param name="value">The value.</param>
    ValueTask<bool> SetAsync(byte[] value);
}
