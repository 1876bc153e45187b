using Cluster.Benchmarks.Harness;
using Cluster.Contracts;
using Cluster.StateStore.Hosting.Tables;
using Cluster.StateStore.Protocol.Logs;

namespace Cluster.Benchmarks.States;

/// <summary>Writes through the core and its records, without messages between processes.</summary>
internal static class ApplyRows
{
    private const int KeyCount = 100_000;
    private const int LargeBytes = 1 << 20;
    private const int RoundsBefore = 10;

    public static void Run(BenchmarkRun run)
    {
        using var alone = new CorePair(hasBackup: false);
        using var backed = new CorePair(hasBackup: true);
        var keys = Enumerable.Range(0, KeyCount).Select(static id => Encoding.UTF8.GetBytes($"key {id:D8}")).ToArray();
        var (value, at) = (new byte[(int)run.Size("apply.put")], 0);
        foreach (var key in keys)
        {
            alone.Write(EntryKind.Put, key, value);
            backed.Write(EntryKind.Put, key, value);
        }

        var large = "a large value"u8.ToArray();
        alone.Write(EntryKind.Put, large, new byte[LargeBytes]);
        var (view, found) = (new TableView(null, alone.Table), 0L);
        var race = Race.Run(
            run.Share(parts: 5),
            new Contender("put", count => Repeat(count, () => alone.Write(EntryKind.Put, Next(keys, ref at), value))),
            new Contender("backup", count => Repeat(count, () => backed.Write(EntryKind.Put, Next(keys, ref at), value))),
            new Contender("touch", count => Repeat(count, () => alone.Write(EntryKind.Touch, large, []))),
            new Contender("read", count => Repeat(count, () => alone.Read(Next(keys, ref at)))),
            new Contender("route", count =>
            {
                for (var index = 0; index < count; index++)
                    found += view.RouteOf(new PartitionId(index % CorePair.PartitionCount)).Entry.Epoch.Value == 1 ? 1 : 0;
            }));
        run.Report("apply.put", race.Rate("put") / 1e6);
        run.Report("apply.put.backup", race.Rate("backup") / 1e6);
        run.Report("apply.touch.1m", race.Nanoseconds("touch") / 1e3);
        run.Report("record.read", race.Nanoseconds("read"));
        run.Report("route", race.Nanoseconds("route"));
        GC.KeepAlive(found);
        if (OperatingSystem.IsLinux())
            RunMapped(run, keys, value);
    }

    // Both tables get the same writes before the race, because their order decides where records lie.
    private static void RunMapped(BenchmarkRun run, byte[][] keys, byte[] value)
    {
        using var plain = new CorePair(hasBackup: false);
        using var mapped = new CorePair(hasBackup: false, isMapped: true);
        var at = 0;
        for (var round = 0; round < RoundsBefore * keys.Length; round++)
        {
            var key = Next(keys, ref at);
            plain.Write(EntryKind.Put, key, value);
            mapped.Write(EntryKind.Put, key, value);
        }

        var race = Race.Run(
            run.Share(parts: 5),
            new Contender("put", count => Repeat(count, () => plain.Write(EntryKind.Put, Next(keys, ref at), value))),
            new Contender("mapped", count => Repeat(count, () => mapped.Write(EntryKind.Put, Next(keys, ref at), value))),
            new Contender("read", count => Repeat(count, () => plain.Read(Next(keys, ref at)))),
            new Contender("readMapped", count => Repeat(count, () => mapped.Read(Next(keys, ref at)))));
        run.Report("apply.put.mapped", race.Nanoseconds("mapped") / race.Nanoseconds("put"));
        run.Report("record.read.mapped", race.Nanoseconds("readMapped") / race.Nanoseconds("read"));
    }

    private static void Repeat(int count, Action operation)
    {
        for (var index = 0; index < count; index++)
            operation();
    }

    // The step has no common factor with the number of keys, so the walk meets all of them.
    private static byte[] Next(byte[][] keys, ref int at) => keys[at = (at + 7_919) % keys.Length];
}
