namespace Cluster.StateStore.Protocol.Basics;

/// <summary>The identity of one log entry of a partition: the epoch of the primary that wrote it (24 bits) and a
/// counter (40 bits) that rises with each entry of the partition. It is the place in the log and the version of the
/// record in one number. Zero comes before all entries.</summary>
/// <param name="Value">Both numbers in one, which order like the entries.</param>
internal readonly record struct EntryId(ulong Value) : IComparable<EntryId>
{
    public const int CounterBits = 40;
    public const long EpochMax = (1L << (64 - CounterBits)) - 1;
    public const long CounterMax = (1L << CounterBits) - 1;

    public long Epoch => (long)(Value >> CounterBits);

    public long Counter => (long)(Value & CounterMax);

    public static EntryId Of(long epoch, long counter) => epoch is < 0 or > EpochMax || counter is < 0 or > CounterMax
        ? throw new ArgumentOutOfRangeException(
            nameof(epoch), $"Epoch {epoch} and counter {counter} must be at most {EpochMax} and {CounterMax}.")
        : new(((ulong)epoch << CounterBits) | (ulong)counter);

    /// <summary>Returns the id of the entry that the primary of an epoch writes after this one.</summary>
    public EntryId Next(long epoch) => Of(epoch, Counter + 1);

    public int CompareTo(EntryId other) => Value.CompareTo(other.Value);

    public override string ToString() => $"{Epoch}.{Counter}";

    public static EntryId Min(EntryId left, EntryId right) => left < right ? left : right;

    public static EntryId Max(EntryId left, EntryId right) => left > right ? left : right;

    public static bool operator <(EntryId left, EntryId right) => left.Value < right.Value;

    public static bool operator >(EntryId left, EntryId right) => left.Value > right.Value;

    public static bool operator <=(EntryId left, EntryId right) => left.Value <= right.Value;

    public static bool operator >=(EntryId left, EntryId right) => left.Value >= right.Value;
}
