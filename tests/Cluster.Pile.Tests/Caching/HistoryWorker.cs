using Cluster.Pile.Caching;
using Cluster.Testing.Linearizability.Registers;

namespace Cluster.Pile.Tests.Caching;

/// <summary>One thread that works on a table and records what it asked and got. A value is a number of its own and
/// bytes that follow from it, so that any mixture shows. Used by one thread.</summary>
internal sealed class HistoryWorker(CacheTable<long, byte[]> table, Random random, int number)
{
    private const int LengthMax = 400;
    private const int SpinMax = 200;
    private const long NumbersPerWorker = 1_000_000_000;

    private long _next = number * NumbersPerWorker;

    public void Run(RegisterHistory<long> history, long firstKey, int keys, int calls)
    {
        for (var i = 0; i < calls; i++)
        {
            var key = firstKey + random.Next(keys);
            switch (random.Next(10))
            {
                case < 3:
                    Get(history, key);
                    break;
                case < 6:
                    Put(history, key);
                    break;
                case < 8:
                    Remove(history, key);
                    break;
                default:
                    GetOrAdd(history, key);
                    break;
            }
        }
    }

    private static long NumberIn(byte[] value)
    {
        var written = BitConverter.ToInt64(value);
        Assert.True(Piles.IsPayload(value.AsSpan(sizeof(long)), (ulong)written), "A mixture of values was read.");
        return written;
    }

    private void Get(RegisterHistory<long> history, long key)
    {
        var call = history.Begin(key, RegisterOperation.Read());
        var isThere = table.TryGet(key, out var value);
        call.End(RegisterResult.Of(isThere ? NumberIn(value!) : null));
    }

    private void Put(RegisterHistory<long> history, long key)
    {
        var value = NextValue(out var written);
        var call = history.Begin(key, RegisterOperation.Write(written));
        var result = table.Put(key, value);
        call.End(RegisterResult.Of(result == PutResult.Replaced));
        Assert.NotEqual(PutResult.Refused, result);
    }

    private void Remove(RegisterHistory<long> history, long key)
    {
        var call = history.Begin(key, RegisterOperation.Delete());
        call.End(RegisterResult.Of(table.Remove(key)));
    }

    private void GetOrAdd(RegisterHistory<long> history, long key)
    {
        var value = NextValue(out var written);
        var call = history.Begin(key, RegisterOperation.ReadOrWrite(written));
        var found = table.GetOrAdd(key, _ =>
        {
            Thread.SpinWait(random.Next(SpinMax));
            if (random.Next(4) == 0)
                Thread.Yield();
            return value;
        });
        call.End(RegisterResult.Of(NumberIn(found)));
    }

    private byte[] NextValue(out long written)
    {
        written = _next++;
        var value = new byte[sizeof(long) + random.Next(LengthMax)];
        BitConverter.TryWriteBytes(value, written);
        Piles.Fill(value.AsSpan(sizeof(long)), (ulong)written);
        return value;
    }
}
