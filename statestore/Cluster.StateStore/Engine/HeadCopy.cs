using Cluster.Pile.Hosting;
using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine;

/// <summary>A copy of the newest state of a key, committed or not, in rented memory. The owner disposes it
/// once.</summary>
/// <param name="Exists">Whether there is a record.</param>
/// <param name="Version">The version that a write must name to follow it; zero without a record.</param>
/// <param name="Expiry">When the record expires, in the form of <see cref="LifeEnd"/>.</param>
/// <param name="Time">The partition time, in ticks of UTC.</param>
internal readonly record struct HeadCopy(bool Exists, EntryId Version, long Expiry, long Time) : IDisposable
{
    private byte[]? Array { get; init; }

    private int Start { get; init; }

    private int Length { get; init; }

    /// <summary>The value; null without a record.</summary>
    public ReadOnlyMemory<byte>? Value => Exists ? Array.AsMemory(Start, Length) : default(ReadOnlyMemory<byte>?);

    /// <summary>Takes a record over, whose owner does not dispose it any more.</summary>
    public static HeadCopy Of(in RentedRecord record, long time)
    {
        if (record.Exists)
        {
            return new HeadCopy(true, new EntryId(record.Stamp.Version), record.Stamp.Time, time)
            {
                Array = record.Array,
                Start = RecordStamp.Bytes,
                Length = record.Value.Length,
            };
        }

        record.Dispose();
        return new HeadCopy(false, default, 0, time);
    }

    public static HeadCopy Of(in Protocol.Replicas.Head head, long time)
    {
        if (!head.Exists)
            return new HeadCopy(false, default, 0, time);
        var value = head.Value!.Value;
        var array = ArrayPool<byte>.Shared.Rent(value.Length);
        value.CopyTo(array);
        return new HeadCopy(true, head.Version, head.Expiry, time) { Array = array, Length = value.Length };
    }

    public void Dispose()
    {
        if (Array is not null)
            ArrayPool<byte>.Shared.Return(Array);
    }
}
