using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.StateStore.Tests.Protocol.Logs;

public sealed class PartitionLogTests
{
    private readonly ShardLog _memory = new(chunkBytes: 256, budgetBytes: 10_000);

    [Fact]
    public void CutAndTrim_OverRandomSteps_KeepWhatAListKeeps()
    {
        var seed = Environment.ProcessId;
        var random = new Random(seed);
        var log = new PartitionLog(_memory);
        var expected = new List<EntryId>();
        var (start, counter) = (default(EntryId), 0L);
        for (var step = 0; step < 5_000; step++)
        {
            switch (random.Next(6))
            {
                case 0 when expected.Count > 0:
                    var cut = random.Next(expected.Count);
                    log.CutAfter(expected[cut]);
                    expected.RemoveRange(cut + 1, expected.Count - cut - 1);
                    break;
                case 1 when expected.Count > 0:
                    var trim = random.Next(expected.Count);
                    log.TrimTo(expected[trim]);
                    start = expected[trim];
                    expected.RemoveRange(0, trim + 1);
                    break;
                default:
                    var id = EntryId.Of(1, ++counter);
                    log.Append(Entry(id, random.Next(300)));
                    expected.Add(id);
                    break;
            }

            Assert.True(start == log.Start && expected.Count == log.Count, $"seed {seed}, step {step}");
            Assert.Equal(expected.Count == 0 ? start : expected[^1], log.Last);
            for (var index = 0; index < expected.Count; index++)
                Assert.Equal(expected[index], LogEntryCodec.Read(log.At(index).Bytes).Id);
        }

        log.Reset(default);
        Assert.Equal((0, 0L, 0L), (log.Count, log.Bytes, _memory.LiveBytes));
    }

    /// <summary>An entry keeps the memory of its whole chunk, so only the newest chunks keep entries, those of all
    /// partitions.</summary>
    [Fact]
    public void TrimTo_MemoryKeepsTheNewestBytes_KeepsTheirEntriesAlone()
    {
        var memory = new ShardLog(chunkBytes: 256, budgetBytes: 100_000, keptBytes: 2_000);
        var (busy, idle) = (new PartitionLog(memory), new PartitionLog(memory));
        idle.Append(Entry(EntryId.Of(1, 1), 10));
        for (var counter = 1; counter <= 200; counter++)
        {
            busy.Append(Entry(EntryId.Of(1, counter), 20));
            busy.TrimTo(EntryId.Of(1, counter - 1));
            Assert.Equal(EntryId.Of(1, counter), busy.Last);
            Assert.InRange(busy.Bytes, Math.Min(1_500, counter * 50), 2_300);
        }

        Assert.True(busy.Contains(EntryId.Of(1, 180)));
        Assert.False(busy.Contains(EntryId.Of(1, 100)));
        Assert.Equal(1, idle.Count);
        idle.TrimTo(EntryId.Of(1, 1));
        Assert.Equal((0, EntryId.Of(1, 1)), (idle.Count, idle.Start));
        Assert.Equal(busy.Bytes, memory.LiveBytes);
    }

    [Fact]
    public void Append_EntryThatIsNotNewer_BreaksAnInvariant()
    {
        var log = new PartitionLog(_memory);
        log.Append(Entry(EntryId.Of(2, 5), 1));
        var error = Assert.Throws<ProtocolInvariantException>(() => log.Append(Entry(EntryId.Of(1, 6), 1)));
        Assert.Contains("entry 1.6 cannot follow 2.5", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void IsFull_WhenTheBudgetIsUsed_UntilEntriesAreTrimmed()
    {
        var log = new PartitionLog(_memory);
        for (var counter = 1; !_memory.IsFull; counter++)
            log.Append(Entry(EntryId.Of(1, counter), 400));
        Assert.InRange(_memory.LiveBytes, 10_000, 10_500);
        log.TrimTo(EntryId.Of(1, 2));
        Assert.False(_memory.IsFull);
    }

    private static LogEntry Entry(EntryId id, int size) =>
        new(id, EntryKind.Put, new StateKey(0, new byte[3])) { HasValue = true, Value = new byte[size] };
}
