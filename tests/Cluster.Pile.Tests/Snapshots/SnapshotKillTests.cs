using Cluster.Pile.Tests.Expiry;
using Cluster.Pile.Tests.Host;
using Cluster.Pile.Tests.Mapped;
using Cluster.Pile.Tests.Tables;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Acceptance case 28 of the pile with snapshots: a process that changes objects, cells and cache entries and
/// saves snapshots all the time is killed at a random moment, again and again. The next one restores the newest
/// snapshot, which has each thread's changes up to one moment, and none that it acknowledged before the save is
/// missing.</summary>
[Trait("Case", "pile-28")]
public sealed class SnapshotKillTests(ITestOutputHelper output)
{
    private const int RoundsShort = 3;
    private const int RoundsLong = 200;

    [RequiresUnixFact]
    public async Task Pile_KilledAgainAndAgain_RestoresWhatItsLastSnapshotHad() =>
        await RunAsync(RoundsShort, TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(400));

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    public async Task Pile_Killed200Times_RestoresWhatItsLastSnapshotHad() =>
        await RunAsync(RoundsLong, TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(5));

    private async Task RunAsync(int rounds, TimeSpan least, TimeSpan most)
    {
        var seed = Environment.TickCount;
        output.WriteLine($"seed {seed}, {rounds} rounds");
        var random = new Random(seed);
        using var folder = new TestFolder();
        var logs = Enumerable.Range(0, 2 * KillLoop.Workers).Select(_ => new SavedLog()).ToArray();
        for (var round = 0; round < rounds; round++)
        {
            var life = (random.NextDouble() * (most - least)) + least;
            var arguments = (KillLoop.Snapshots, folder, seed + (round * 2 * KillLoop.Workers));
            await KillProcess.RunAsync(arguments, KillSaver.Saved, life);
            await CheckAsync(folder, logs);
        }

        output.WriteLine($"{logs.Sum(log => log.Changes):N0} changes, {logs.Sum(log => log.Saved):N0} of them restored");
        Assert.All(logs, log => Assert.True(log.Saved > 0));
    }

    private static async Task CheckAsync(TestFolder folder, SavedLog[] logs)
    {
        var acknowledged = KillSaver.ReadLast(folder.FullName);
        using var pile = await LocalPile.RestoreAsync(
            KillLoop.PileIn(folder.FullName),
            new PileOptions
            {
                BudgetBytes = KillLoop.BudgetBytes,
                TimeProvider = new TimerlessTimeProvider(TimeProvider.System),
            });
        PileValidator.Check(pile);
        foreach (var store in pile.Records.All)
            RecordValidator.Check(pile, store);
        var found = Find(pile);
        for (var worker = 0; worker < KillLoop.Workers; worker++)
        {
            var objects = KillRecord.ReadAll(KillLoop.LogOf(folder.FullName, worker)).ToList();
            logs[worker].Check(objects, acknowledged[worker], found[worker]);
            var entries = KillRecord.ReadAll(KillLoop.EntryLogOf(folder.FullName, worker)).ToList();
            var log = KillLoop.Workers + worker;
            logs[log].Check(entries, acknowledged[log], found[log]);
        }
    }

    // The version of each object and entry, by the log that it belongs to.
    private static Dictionary<long, long>[] Find(LocalPile pile)
    {
        var found = Enumerable.Range(0, 2 * KillLoop.Workers).Select(_ => new Dictionary<long, long>()).ToArray();
        var owned = new HashSet<PilePointer>();
        foreach (var (id, version, pointer) in new KillTables(pile).All())
        {
            found[KillLoop.Workers + (int)(id % KillLoop.Workers)].Add(id, version);
            Assert.True(pointer == default || owned.Add(pointer), $"Entry {id} owns an object of another one.");
        }

        var leftOver = 0;
        foreach (var item in pile.Enumerate())
        {
            if (owned.Contains(item.Pointer))
                continue;
            var isWhole = KillPayload.TryParse(pile.GetBytes(item.Pointer), out var id, out var version);
            Assert.True(isWhole, $"The object at {item.Pointer} is torn.");
            if (KillTables.TableOf(id) == KillTable.None)
                found[(int)(id % KillLoop.Workers)].Add(id, version);
            else
                leftOver++;
        }

        // The cut may have been before the entry got its object, once per thread.
        Assert.InRange(leftOver, 0, KillLoop.Workers);
        return found;
    }
}
