using Cluster.Pile.Hosting;
using Cluster.Pile.Tables.Records;
using Cluster.Pile.Tests.Mapped;
using Cluster.Pile.Tests.Tables;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Hosting;

public sealed class StampedTableTests(ITestOutputHelper output)
{
    private const ulong Seed = 0x5EED;

    // Long values are not replaced in place, so both sides of that limit are there.
    private static readonly int[] Lengths = [0, 1, 8, 200, 3_000, 16_300, 16_400, 40_000];

    private static readonly StampedTableOptions Options =
        new() { Name = "carts", KeyForm = "cluster 1, 16 partitions", HashSeed = Seed };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void RandomChanges_AgreeWithAMap_AlsoAfterRecordsWereMoved(int seed)
    {
        output.WriteLine($"seed {seed}");
        using var pile = Piles.Create(256 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        var (model, random) = (new StampedModel(), new Random(seed));
        for (var step = 0; step < 60_000; step++)
        {
            var id = random.Next(1_500);
            model.Change(table, id, random.Next(100), Lengths[random.Next(Lengths.Length)], (ulong)step);
            if (step % 20_000 == 19_999)
            {
                pile.Compact();
                model.Check(table);
            }
        }
    }

    [Fact]
    public void Scan_OfARangeOfHashes_GivesItsKeysAlone()
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        var expected = Enumerable.Range(0, 16).Select(_ => new HashSet<int>()).ToArray();
        for (var id = 0; id < 100_000; id++)
        {
            var key = StampedModel.KeyOf(id);
            table.Put(StampedModel.HashOf(key), key, new RecordStamp(1, 0), default, out _);
            expected[StampedModel.HashOf(key) >> 60].Add(id);
        }

        for (var partition = 0UL; partition < 16; partition++)
        {
            var scan = StampedTable.BeginScan(partition << 60, (partition << 60) | (ulong.MaxValue >> 4));
            var met = new List<int>();
            while (table.TryNext(scan, out var key))
                met.Add(StampedModel.IdOf(key));
            Assert.Equal(met.Count, met.Distinct().Count());
            Assert.True(expected[partition].SetEquals(met), $"range {partition}");
        }
    }

    [Fact]
    public void Scan_WhilePagesAreSplit_GivesEveryKeyThatStays_Once()
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        for (var id = 0; id < 3_000; id++)
            Put(table, id, version: 1, length: 8);
        var scan = StampedTable.BeginScan(1UL << 62, (2UL << 62) - 1);
        var (met, added) = (new HashSet<int>(), 3_000);
        while (table.TryNext(scan, out var key))
        {
            Assert.True(met.Add(StampedModel.IdOf(key)));
            for (var more = 0; more < 100 && added < 200_000; more++)
                Put(table, added++, version: 1, length: 8);
        }

        var staying = Enumerable.Range(0, 3_000).Where(id => StampedModel.HashOf(StampedModel.KeyOf(id)) >> 62 == 1);
        Assert.True(staying.All(met.Contains));
        Assert.All(met, id => Assert.Equal(1UL, StampedModel.HashOf(StampedModel.KeyOf(id)) >> 62));
    }

    [Fact]
    public async Task ReadersBesideWriters_SeeStampAndValueOfOneMoment()
    {
        using var pile = Piles.Create(256 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        for (var id = 0; id < 8; id++)
            Put(table, id, version: 1, length: 100);
        var isOver = false;
        var readers = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            var (buffer, reads) = (new byte[50_000], 0);
            for (; !Volatile.Read(ref isOver); reads++)
            {
                var key = StampedModel.KeyOf(reads % 8);
                Assert.True(table.TryRead(StampedModel.HashOf(key), key, buffer, out var length));
                var stamp = RecordStamp.Read(buffer);

                // A touch changes the time alone, so the value tells the version.
                Assert.True(Piles.IsPayload(buffer.AsSpan(RecordStamp.Bytes..length), stamp.Version));
            }

            return reads;
        })).ToArray();
        for (var step = 2; step < 60_000; step++)
        {
            var key = StampedModel.KeyOf(step % 8);
            if (step % 3 == 0)
                Put(table, step % 8, (ulong)step, Lengths[step % Lengths.Length]);
            Assert.True(table.TryReadStamp(StampedModel.HashOf(key), key, out var stamp, out _));
            Assert.True(table.SetStamp(StampedModel.HashOf(key), key, stamp with { Time = step }));
        }

        Volatile.Write(ref isOver, true);
        output.WriteLine($"{(await Task.WhenAll(readers)).Sum()} reads");
    }

    [Fact]
    public void Stamp_OfALargeValue_IsReadAndSet_WithoutACopy()
    {
        using var pile = Piles.Create();
        var table = StampedTable.Open(pile, Options);
        Put(table, 1, version: 7, length: 1 << 20);
        var (key, reserved) = (StampedModel.KeyOf(1), table.ReservedBytes);
        for (var time = 1; time <= 1_000; time++)
        {
            Assert.True(table.SetStamp(StampedModel.HashOf(key), key, new RecordStamp(7, time)));
            Assert.True(table.TryReadStamp(StampedModel.HashOf(key), key, out var stamp, out var length));
            Assert.Equal((new RecordStamp(7, time), 1 << 20), (stamp, length));
        }

        Assert.Equal(reserved, table.ReservedBytes);
    }

    [Fact]
    public void Reads_AllocateNothing()
    {
        using var pile = Piles.Create();
        var table = StampedTable.Open(pile, Options);
        Put(table, 1, version: 7, length: 200);
        var (key, buffer) = (StampedModel.KeyOf(1), new byte[1_000]);
        Assert.Equal(0, Piles.AllocatedBytes(() =>
        {
            table.TryRead(StampedModel.HashOf(key), key, buffer, out _);
            table.TryReadStamp(StampedModel.HashOf(key), key, out _, out _);
            table.SetStamp(StampedModel.HashOf(key), key, default);
            table.Put(StampedModel.HashOf(key), key, new RecordStamp(8, 0), buffer.AsSpan(0, 200), out _);
        }));
    }

    [Fact]
    public void FullPile_RefusesThePut_AndKeepsWhatItHas()
    {
        using var pile = Piles.Create(4 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        var count = 0;
        var fill = () =>
        {
            while (true)
                Put(table, count++, version: 1, length: 5_000);
        };
        Assert.Throws<PileFullException>(new Action(fill));
        count--;
        Assert.InRange(count, 300, 900);
        Assert.False(table.HasRoom(5_000));
        var model = new StampedModel();
        for (var id = 0; id < count; id++)
            model.Expect(id, new RecordStamp(1, 0), 5_000);
        model.Check(table);
        Assert.True(table.Remove(StampedModel.HashOf(StampedModel.KeyOf(0)), StampedModel.KeyOf(0)));
        Assert.False(table.Remove(StampedModel.HashOf(StampedModel.KeyOf(0)), StampedModel.KeyOf(0)));
    }

    [Fact]
    public void RoomThatWasPromised_IsThere()
    {
        using var pile = Piles.Create(16 * Piles.MiB);
        var table = StampedTable.Open(pile, Options);
        var random = new Random(3);
        for (var id = 0; table.HasRoom(40_000); id++)
            Put(table, id, version: 1, length: random.Next(40_000 - 100));
        Assert.InRange(table.ReservedBytes, 10 * Piles.MiB, 16 * Piles.MiB);
    }

    [Fact]
    public void OtherForm_IsRefused()
    {
        using var pile = Piles.Create();
        StampedTable.Open(pile, Options);
        var error = Assert.Throws<InvalidOperationException>(
            () => StampedTable.Open(pile, Options with { KeyForm = "cluster 2, 16 partitions" }));
        Assert.Contains("cluster 2", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void TooLong_IsRefused()
    {
        using var pile = Piles.Create();
        var table = StampedTable.Open(pile, Options);
        Assert.Throws<ArgumentException>(
            () => table.Put(0, new byte[StampedTable.KeyBytesMax + 1], default, default, out _));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task NextProcess_FindsStampsAndValues(bool isSnapshot)
    {
        using var folder = new TestFolder();
        var model = new StampedModel();
        var random = new Random(5);
        var options = isSnapshot ? new PileOptions { BudgetBytes = 64 * Piles.MiB } : folder.Options(64 * Piles.MiB);
        using (var pile = new LocalPile(options))
        {
            var table = StampedTable.Open(pile, Options);
            for (var step = 0; step < 8_000; step++)
                model.Change(table, random.Next(400), random.Next(100), Lengths[random.Next(Lengths.Length)], (ulong)step);
            if (isSnapshot)
                await pile.SaveAsync(folder.FullName);
        }

        using var next = isSnapshot ? await LocalPile.RestoreAsync(folder.FullName, options) : new LocalPile(options);
        model.Check(StampedTable.Open(next, Options));
        RecordValidator.Check(next, next.Records.Find(RecordTableKind.Stamped, "carts")!);
    }

    private static void Put(StampedTable table, int id, ulong version, int length)
    {
        var key = StampedModel.KeyOf(id);
        table.Put(StampedModel.HashOf(key), key, new RecordStamp(version, 0), Piles.Payload(version, length), out _);
    }
}
