using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Lists;
using Cluster.Testing.Linearizability.Registers;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>Long histories are judged, also with unknown outcomes; times are printed and not judged.</summary>
public sealed class HistorySizeTests(ITestOutputHelper output)
{
    private static readonly HistorySize Wide = new(Calls: 200_000, Keys: 1_000, Callers: 16, UnknownShare: 0);
    private static readonly HistorySize Deep = new(Calls: 2_000, Keys: 1, Callers: 8, UnknownShare: 0.02);

    [Theory]
    [InlineData(0)]
    [InlineData(0.02)]
    public void ManyKeys_AreJudged_AndOneFalseAnswerIsFound(double unknownShare)
    {
        var history = SampleHistories.Make(SampleObjects.Register, Wide with { UnknownShare = unknownShare }, seed: 1);
        Assert.Equal(LinearizabilityOutcome.Linearizable, Judge(history, RegisterModel.Instance, "200,000 calls").Outcome);

        // No call ever wrote this value.
        history.Add(3, RegisterOperation.Read(), RegisterResult.Of((long?)-1), 10_000_000, 10_000_001);
        Assert.Equal(
            LinearizabilityOutcome.NotLinearizable, Judge(history, RegisterModel.Instance, "with a false one").Outcome);
    }

    [Fact]
    public void OneKey_WithUnknownOutcomes_IsJudged_AndAFalseAnswerNeverPasses()
    {
        CheckDeep(SampleObjects.Register, RegisterOperation.Read(), RegisterResult.Of((long?)-1));
        CheckDeep(SampleObjects.Versioned, new(0), new(Value: -1, Version: 5_000));
        CheckDeep(SampleObjects.Counter, new(0), new(-1));
        CheckDeep(SampleObjects.List, new(null), new(default(AppendedList)));
        CheckDeep(SampleObjects.Map, new(0, "key 3"), new(-1));
    }

    private void CheckDeep<TState, TOperation, TResult>(
        SampleObject<TState, TOperation, TResult> sample, TOperation read, TResult impossible)
        where TResult : struct
    {
        var history = SampleHistories.Make(sample, Deep, seed: 1);
        var verdict = Judge(history, sample.Model, "2,000 calls", stepsMax: 300_000);
        Assert.NotEqual(LinearizabilityOutcome.NotLinearizable, verdict.Outcome);
        history.Add(0, read, impossible, 10_000_000, 10_000_001);
        verdict = Judge(history, sample.Model, "with a false one", stepsMax: 100_000);
        Assert.NotEqual(LinearizabilityOutcome.Linearizable, verdict.Outcome);
        Assert.InRange(verdict.Steps, 1, 100_000);
    }

    private LinearizabilityVerdict Judge<TState, TOperation, TResult>(
        History<int, TOperation, TResult> history,
        IHistoryModel<TState, TOperation, TResult> model,
        string what,
        long stepsMax = LinearizabilityChecker.StepsMaxDefault)
        where TResult : struct
    {
        var watch = Stopwatch.StartNew();
        var verdict = LinearizabilityChecker.Check(history, model, stepsMax);
        output.WriteLine(
            $"{model.GetType().Name}, {what}: {verdict.Outcome} after {verdict.Steps:N0} steps, {watch.Elapsed}");
        return verdict;
    }
}
