using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;
using Cluster.Pile.Tests.Expiry;

namespace Cluster.Pile.Tests.Tables;

/// <summary>Short forms of what tests do with records of integer keys.</summary>
internal static class Records
{
    /// <summary>A pile in which nothing is swept unless a test asks for it, so that the validator is alone.</summary>
    public static LocalPile CreatePile(long budgetBytes = 64 * Piles.MiB) =>
        new(new PileOptions
        {
            BudgetBytes = budgetBytes,
            TimeProvider = new TimerlessTimeProvider(TimeProvider.System),
        });

    public static RecordStatus Put(
        RecordStore store,
        long id,
        ReadOnlySpan<byte> value,
        RecordCondition condition = RecordCondition.Always,
        ulong token = 0) =>
        store.Put(RecordKey.Of(store.Hash, in id), new RecordForm { Condition = condition, Token = token }, value);

    public static RecordStatus PutPointer(RecordStore store, long id, PilePointer pointer) =>
        store.Put(
            RecordKey.Of(store.Hash, in id),
            new RecordForm { Kind = RecordKind.Pointer },
            BitConverter.GetBytes(pointer.ToUInt64()));

    public static RecordStatus Remove(RecordStore store, long id, ulong? token = null) =>
        store.Remove(RecordKey.Of(store.Hash, in id), token);

    /// <summary>The value as an array.</summary>
    public static RecordStatus Get(RecordStore store, long id, out byte[] value)
    {
        value = new byte[64];
        while (true)
        {
            var status = store.Read(RecordKey.Of(store.Hash, in id), value, out var found);
            if (status != RecordStatus.Found || found.Length <= value.Length)
            {
                value = value[..Math.Min(found.Length, value.Length)];
                return status;
            }

            value = new byte[found.Length];
        }
    }

    public static void CheckValue(RecordStore store, long id, ReadOnlySpan<byte> expected)
    {
        Assert.Equal(RecordStatus.Found, Get(store, id, out var value));
        Assert.True(expected.SequenceEqual(value), $"The value of {id} is another one.");
    }

    public static ulong TokenOf(RecordStore store, long id)
    {
        Assert.Equal(RecordStatus.Found, store.Read(RecordKey.Of(store.Hash, in id), default, out var found));
        return found.Token;
    }
}
