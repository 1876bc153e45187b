using Cluster.StateStore.Hosting.Deltas;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Hosting.Tables;

namespace Cluster.StateStore.Tests.Hosting.Deltas;

public sealed class TableDeltaPropertyTests
{
    private const int Seeds = 200;
    private const int Length = 7;

    [Fact]
    public void Delta_BetweenAnyTwoTables_LeadsFromOneToTheOther()
    {
        for (var seed = 0; seed < Seeds; seed++)
        {
            var tables = SuccessorTables.Chain(seed, Length);
            var history = new TableHistory();
            foreach (var table in tables)
                history.Add(table);
            for (var from = 0; from < Length; from++)
            {
                for (var to = from + 1; to < Length; to++)
                    CheckLeads(history, tables[from], tables[to], seed);
            }
        }
    }

    [Fact]
    public void Delta_OfAProcessThatMissedVersions_LeadsToTheSameTableOrNowhere()
    {
        var refused = 0;
        for (var seed = 0; seed < Seeds; seed++)
        {
            var tables = SuccessorTables.Chain(seed, Length);
            var random = new Random(seed);
            var history = new TableHistory();
            foreach (var table in tables.Where((_, index) => index is 0 or Length - 1 || random.Next(2) == 0))
                history.Add(table);
            for (var from = 0; from < Length - 1; from++)
            {
                var result = history.Find(tables[from].Version, tables[^1].Version)!.ApplyTo(tables[from]);
                refused += result is null ? 1 : 0;
                if (result is not null)
                    Assert.Equal(ClusterTableCodec.Encode(tables[^1]), ClusterTableCodec.Encode(result));
            }
        }

        Assert.InRange(refused, 1, Seeds);
    }

    [Fact]
    public void Decode_EveryFlippedBit_IsRefused()
    {
        var encoded = EncodeOne(seed: 3);
        for (var bit = 0; bit < encoded.Length * 8; bit++)
        {
            encoded[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.Throws<StateFormatException>(() => TableDeltaCodec.Decode(encoded, SuccessorTables.ClusterId));
            encoded[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void Decode_EveryTruncation_IsRefused()
    {
        var encoded = EncodeOne(seed: 4);
        for (var length = 0; length < encoded.Length; length++)
        {
            Assert.Throws<StateFormatException>(
                () => TableDeltaCodec.Decode(encoded.AsSpan(0, length), SuccessorTables.ClusterId));
        }
    }

    [Fact]
    public void Decode_DamageWithRightChecksum_LeadsToNoOtherTable()
    {
        var encoded = EncodeOne(seed: 5);
        var tables = SuccessorTables.Chain(5, 2);
        for (var seed = 0; seed < 2_000; seed++)
        {
            var random = new Random(seed);
            var damaged = (byte[])encoded.Clone();
            for (var change = random.Next(1, 4); change > 0; change--)
                damaged[random.Next(6, damaged.Length - 8)] = (byte)random.Next(256);
            if (damaged.AsSpan().SequenceEqual(encoded))
                continue;
            BinaryPrimitives.WriteUInt64LittleEndian(
                damaged.AsSpan(damaged.Length - 8), Slim.Hosting.XxHash3.Hash(damaged.AsSpan(0, damaged.Length - 8)));
            CheckLeadsNowhereElse(damaged, tables, seed);
        }
    }

    private static void CheckLeads(TableHistory history, ClusterTable from, ClusterTable to, int seed)
    {
        var delta = history.Find(from.Version, to.Version);
        Assert.True(delta is not null, $"seed {seed}: nothing from {from.Version} to {to.Version}");
        var bytes = TableDeltaCodec.Encode(delta, SuccessorTables.ClusterId)!;
        var read = TableDeltaCodec.Decode(bytes, SuccessorTables.ClusterId);
        var result = read.ApplyTo(from);
        Assert.True(result is not null, $"seed {seed}: the delta from {from.Version} to {to.Version} does not fit");
        Assert.Equal(ClusterTableCodec.Encode(to), ClusterTableCodec.Encode(result));
        Assert.Equal(ClusterTableCodec.Digest(to), read.Digest);
    }

    private static void CheckLeadsNowhereElse(byte[] damaged, ClusterTable[] tables, int seed)
    {
        try
        {
            // A damaged byte may list something that has not changed.
            var result = TableDeltaCodec.Decode(damaged, SuccessorTables.ClusterId).ApplyTo(tables[0]);
            var isRight = result is null
                || ClusterTableCodec.Encode(result).AsSpan().SequenceEqual(ClusterTableCodec.Encode(tables[1]));
            Assert.True(isRight, $"seed {seed}: the damaged delta leads to another table {result?.Version}");
        }
        catch (StateFormatException)
        {
            // Refused.
        }
    }

    private static byte[] EncodeOne(int seed)
    {
        var tables = SuccessorTables.Chain(seed, Length);
        var history = new TableHistory();
        foreach (var table in tables)
            history.Add(table);
        var delta = history.Find(tables[0].Version, tables[1].Version)!;
        return TableDeltaCodec.Encode(delta, SuccessorTables.ClusterId)!;
    }
}
