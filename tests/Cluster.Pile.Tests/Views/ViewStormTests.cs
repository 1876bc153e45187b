using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Views;

/// <summary>Many threads view, update, delete and read the same objects by random schedules. What a view shows never
/// changes while it is open, and no read is torn.</summary>
public sealed class ViewStormTests(ITestOutputHelper output)
{
    private const int OperationsPerThread = 1500;

    [Theory]
    [InlineData(8, 1, false)]
    [InlineData(8, 6, false)]
    [InlineData(12, 200, false)]
    [InlineData(8, 4, true)]
    public void SharedObjects_UnderViews_NeverChange(int threads, int objects, bool waits) =>
        Run(threads, objects, waits, OperationsPerThread, seed: Environment.ProcessId);

    [Fact]
    [Trait("Category", "Soak")]
    public void SharedObjects_UnderViewsForLong_NeverChange()
    {
        for (var seed = 0; seed < 20; seed++)
            Run(threads: 16, objects: 1 + (seed * 7), waits: seed % 2 == 0, 40_000, seed);
    }

    private void Run(int threads, int objects, bool waits, int operations, int seed)
    {
        output.WriteLine($"seed {seed}");
        var options = Piles.Options(TimeProvider.System, waits ? TimeSpan.FromMinutes(5) : TimeSpan.Zero);
        using var pile = new LocalPile(options);
        var storm = new ViewStorm(pile, objects, waits, seed);
        storm.RunAll(threads, operations);
        output.WriteLine($"{storm.Views:N0} views, {storm.Refused:N0} changes refused");
        Assert.True(storm.Views > 0 && (waits || storm.Refused > 0), "Views and changes met.");
        Assert.Equal(0, pile.GetStatistics().OpenViews);
        storm.DeleteAll();
        Piles.CheckEmpty(pile);
        PileChecks.AllSlotsAreFree(pile);
    }
}
