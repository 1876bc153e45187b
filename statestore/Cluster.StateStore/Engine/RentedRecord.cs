using Cluster.Pile.Hosting;

namespace Cluster.StateStore.Engine;

/// <summary>A record in rented memory. The owner disposes it once.</summary>
/// <param name="array">The rented memory.</param>
/// <param name="length">The bytes of stamp and value; zero without a record.</param>
internal readonly struct RentedRecord(byte[] array, int length) : IDisposable
{
    /// <summary>The rented memory.</summary>
    public byte[] Array => array;

    /// <summary>Whether there is a record.</summary>
    public bool Exists => length > 0;

    public RecordStamp Stamp => RecordStamp.Read(array);

    public ReadOnlyMemory<byte> Value => array.AsMemory(RecordStamp.Bytes, length - RecordStamp.Bytes);

    public void Dispose()
    {
        if (array is not null)
            ArrayPool<byte>.Shared.Return(array);
    }
}
