using Cluster.Glue.Resilience;

namespace Cluster.Glue.Tests.Resilience;

/// <summary>What further attempts at one peer may cost. Acceptance case 91.</summary>
public sealed class RetryBudgetTests
{
    [Fact]
    [Trait("Case", "glue-91")]
    public void Budget_GivesTenInAdvance_AndThenWhatWasEarned()
    {
        var budget = new RetryBudget(0.1);
        Assert.Equal(10, TakeAll(budget));
        Earn(budget, 19);
        Assert.Equal(1, TakeAll(budget));
        Earn(budget, 1);
        Assert.Equal(1, TakeAll(budget));
        budget.GiveBack();
        Assert.Equal(1, TakeAll(budget));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public void Budget_DoesNotGrowWithoutEnd()
    {
        var budget = new RetryBudget(0.5);
        Earn(budget, 1000);
        Assert.Equal(10, TakeAll(budget));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public void Budget_OfVeryLittle_GivesThat()
    {
        var budget = new RetryBudget(0.0001);
        Assert.Equal(10, TakeAll(budget));
        Earn(budget, 10_000);
        Assert.Equal(1, TakeAll(budget));
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public void Budget_OfNothing_GivesNothing()
    {
        var budget = new RetryBudget(0);
        Earn(budget, 1000);
        Assert.False(budget.TryTake());
    }

    [Fact]
    [Trait("Case", "glue-91")]
    public async Task Budget_ThatManyUse_GivesWhatThereIs()
    {
        const int Users = 8;
        const int Rounds = 10_000;
        var budget = new RetryBudget(0.1);
        var taken = await Task.WhenAll(Enumerable.Range(0, Users).Select(_ => Task.Run(() =>
        {
            var count = 0;
            for (var i = 0; i < Rounds; i++)
            {
                budget.Earn();
                if (budget.TryTake())
                    count++;
            }

            return count;
        })));
        var left = TakeAll(budget);
        // What is earned beyond the most it holds is lost, which happens at the beginning only.
        Assert.InRange(taken.Sum() + left, (Users * Rounds / 10) + 1, (Users * Rounds / 10) + 10);
    }

    private static void Earn(RetryBudget budget, int calls)
    {
        for (var i = 0; i < calls; i++)
            budget.Earn();
    }

    private static int TakeAll(RetryBudget budget)
    {
        var count = 0;
        while (budget.TryTake())
            count++;
        return count;
    }
}
