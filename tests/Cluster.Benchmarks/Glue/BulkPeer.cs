namespace Cluster.Benchmarks.Glue;

/// <summary>The peer's side of the rows about large calls; its array is never changed.</summary>
public sealed class BulkPeer : IBulkPeer
{
    private byte[] _load = [];

    /// <inheritdoc />
    public ValueTask<int> TakeAsync(byte[] bytes)
    {
        ArgumentNullException.ThrowIfNull(bytes);
        return new ValueTask<int>(bytes.Length);
    }

    /// <inheritdoc />
    public ValueTask<byte[]> GiveAsync(int count)
    {
        if (_load.Length != count)
            _load = new byte[count];
        return new ValueTask<byte[]>(_load);
    }

    /// <inheritdoc />
    public ValueTask<int> AddAsync(int left, int right) => new(left + right);
}
