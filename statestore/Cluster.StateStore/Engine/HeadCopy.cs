using Cluster.StateStore.Protocol.Basics;

namespace Cluster.StateStore.Engine;

/// <summary>A copy of the newest state of a key, committed or not, in rented memory. The owner disposes it
/// once.</summary>
/// <param name="Exists">Whether there is a record.</param>
/// <param name="Version">The version that a write must name to follow it; zero without a record.</param>
/// <param name="Expiry">When the record expires, in ticks of UTC; zero: never.</param>
/// <param name="Time">The partition time, in ticks of UTC.</param>
internal readonly record struct HeadCopy(bool Exists, EntryId Version, long Expiry, long Time) : IDisposable
{
    private byte[]? Array { get; init; }

    private int Length { get; init; }

    /// <summary>The value; null without a record.</summary>
    public ReadOnlyMemory<byte>? Value => Exists ? Array.AsMemory(0, Length) : default(ReadOnlyMemory<byte>?);

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
