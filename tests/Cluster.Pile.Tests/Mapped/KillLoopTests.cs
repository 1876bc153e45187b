using Cluster.Pile.Tests.Expiry;
using Cluster.Pile.Tests.Host;
using Cluster.Pile.Tests.Tables;
using Cluster.Testing;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 28 of the pile with mapped segments: a process that changes objects, cells and cache
/// entries is killed at a random moment, again and again, and what it had acknowledged is there afterwards.</summary>
[Trait("Case", "pile-28")]
public sealed class KillLoopTests(ITestOutputHelper output)
{
    private const int RoundsShort = 4;
    private const int RoundsLong = 200;

    [RequiresUnixFact]
    public async Task MappedPile_KilledAgainAndAgain_HasWhatWasAcknowledged() =>
        await RunAsync(RoundsShort, TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(400));

    [RequiresUnixFact]
    [Trait("Category", "Soak")]
    public async Task MappedPile_Killed200Times_HasWhatWasAcknowledged() =>
        await RunAsync(RoundsLong, TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(5));

    private async Task RunAsync(int rounds, TimeSpan least, TimeSpan most)
    {
        var seed = Environment.TickCount;
        output.WriteLine($"seed {seed}, {rounds} rounds");
        var random = new Random(seed);
        var model = new KillModel();
        var entries = new KillEntryModel();
        using var folder = new TestFolder();
        var pileFolder = new TestFolder(KillLoop.PileIn(folder.FullName));
        for (var round = 0; round < rounds; round++)
        {
            var life = (random.NextDouble() * (most - least)) + least;
            var arguments = (KillLoop.Mapped, folder, seed + (round * KillLoop.Workers));
            await KillProcess.RunAsync(arguments, KillLoop.Attached, life);
            for (var worker = 0; worker < KillLoop.Workers; worker++)
            {
                model.Read(KillLoop.LogOf(folder.FullName, worker));
                entries.Read(KillLoop.EntryLogOf(folder.FullName, worker));
            }

            // Every other time the next process is the first to see what the dead one left.
            if (round % 2 == 0)
            {
                CheckAndLeave(pileFolder, model, entries);
                continue;
            }

            using var copy = pileFolder.CopyAsIfKilled();
            CheckAndLeave(copy, model, entries);
        }

        output.WriteLine(
            $"{model.Acknowledged:N0} changes of objects acknowledged, {model.Unacknowledged} not, {model.Count:N0} "
            + $"objects; {entries.Acknowledged:N0} of entries, {entries.Count:N0} entries");
        Assert.True(Math.Min(model.Acknowledged, entries.Acknowledged) > rounds * 10);
    }

    private static void CheckAndLeave(TestFolder folder, KillModel model, KillEntryModel entries)
    {
        var clock = new TimerlessTimeProvider(TimeProvider.System);
        using var pile = new LocalPile(folder.Options(KillLoop.BudgetBytes, clock));
        PileValidator.Check(pile);
        foreach (var store in pile.Records.All)
            RecordValidator.Check(pile, store);
        model.Check(pile, entries.Check(pile));
    }
}
