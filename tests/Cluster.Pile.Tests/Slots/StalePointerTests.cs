using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Slots;

/// <summary>Acceptance cases 2 to 4 of the pile: stale, foreign and forged pointers, also when payloads look like
/// headers. The default run takes one percent of what the cases state, the soak run all of it.</summary>
public sealed class StalePointerTests(ITestOutputHelper output)
{
    private const int Rounds = 10;
    private const int ObjectsShort = 10_000;
    private const int ObjectsLong = 1_000_000;
    private const int ForgeriesShort = 500_000;
    private const int ForgeriesLong = 10_000_000;
    private const long BudgetShort = 8 * Piles.MiB;
    private const long BudgetLong = 256 * Piles.MiB;

    [Fact]
    public void Default_IsNeverValid()
    {
        using var pile = Piles.Create();
        for (var i = 0; i < 1000; i++)
            pile.Put(new byte[i]);
        Assert.Throws<InvalidPilePointerException>(() => pile.SizeOf(default));
        Assert.False(pile.Delete(default));
    }

    [Theory]
    [Trait("Case", "pile-2")]
    [InlineData(false)]
    [InlineData(true)]
    public void Recycled_EqualSize_IsAlwaysRefused(bool compacts) =>
        CheckRounds(ObjectsShort, BudgetShort, imitate: false, compacts);

    [Theory]
    [Trait("Case", "pile-2")]
    [Trait("Category", "Soak")]
    [InlineData(false)]
    [InlineData(true)]
    public void Recycled_MillionsOfEqualSize_IsAlwaysRefused(bool compacts) =>
        CheckRounds(ObjectsLong, BudgetLong, imitate: false, compacts);

    [Theory]
    [Trait("Case", "pile-2")]
    [InlineData(false)]
    [InlineData(true)]
    public void Recycled_WhenSlabsChangeClass_IsAlwaysRefused(bool compacts) =>
        CheckClasses(ObjectsShort, BudgetShort, imitate: false, compacts);

    [Theory]
    [Trait("Case", "pile-2")]
    [Trait("Category", "Soak")]
    [InlineData(false)]
    [InlineData(true)]
    public void Recycled_WhenManySlabsChangeClass_IsAlwaysRefused(bool compacts) =>
        CheckClasses(ObjectsLong, BudgetLong, imitate: false, compacts);

    [Fact]
    [Trait("Case", "pile-3")]
    public void Forged_RandomFlippedShiftedOrForeign_IsRefused() =>
        CheckForgeries(ForgeriesShort, ObjectsShort, imitate: false);

    [Fact]
    [Trait("Case", "pile-3")]
    [Trait("Category", "Soak")]
    public void Forged_TenMillions_IsRefused() =>
        CheckForgeries(ForgeriesLong, ObjectsLong / Rounds, imitate: false);

    [Fact]
    [Trait("Case", "pile-4")]
    public void Payload_ThatLooksLikeHeaders_ChangesNothing()
    {
        CheckRounds(ObjectsShort, BudgetShort, imitate: true, compacts: true);
        CheckClasses(ObjectsShort, BudgetShort, imitate: true, compacts: true);
        CheckForgeries(ForgeriesShort, ObjectsShort, imitate: true);
    }

    [Fact]
    [Trait("Case", "pile-4")]
    [Trait("Category", "Soak")]
    public void Payloads_OfMillionsThatLookLikeHeaders_ChangeNothing()
    {
        CheckRounds(ObjectsLong, BudgetLong, imitate: true, compacts: true);
        CheckClasses(ObjectsLong, BudgetLong, imitate: true, compacts: true);
        CheckForgeries(ForgeriesLong, ObjectsLong / Rounds, imitate: true);
    }

    private void CheckRounds(int objects, long budgetBytes, bool imitate, bool compacts)
    {
        using var trials = new PointerTrials(budgetBytes, imitate, seed: 1);
        trials.RunRounds(Rounds, objects, compacts);
        trials.CheckAccepted(most: 0, output);
        Piles.CheckEmpty(trials.Pile);
    }

    // Nearly all of the budget, so that each size takes the memory of the one before.
    private void CheckClasses(int kept, long budgetBytes, bool imitate, bool compacts)
    {
        using var trials = new PointerTrials(budgetBytes, imitate, seed: 2);
        trials.RunClasses(kept, budgetBytes / 8 * 5, compacts);
        trials.CheckAccepted(most: 0, output);
        Piles.CheckEmpty(trials.Pile);
    }

    private void CheckForgeries(int count, int objects, bool imitate)
    {
        using var trials = new PointerTrials(64 * Piles.MiB, imitate, seed: 4711);
        trials.RunForgeries(count, objects);
        trials.CheckAccepted(most: 1, output);
    }
}
