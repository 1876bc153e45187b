namespace Cluster.Benchmarks.Rivals;

/// <summary>Keeps one value in memory. Orleans runs one call of it at a time.</summary>
public sealed class ValueGrain : Grain, IValueGrain
{
    private byte[]? _value;

    /// <inheritdoc />
    public ValueTask<byte[]?> GetAsync() => new(_value);

    /// <inheritdoc />
    public ValueTask<bool> SetAsync(byte[] value)
    {
        _value = value;
        return new(true);
    }
}
