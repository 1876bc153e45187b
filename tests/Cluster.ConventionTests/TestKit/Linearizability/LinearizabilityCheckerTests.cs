using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Registers;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>The checker accepts linearizable histories and no others.</summary>
public sealed class LinearizabilityCheckerTests(ITestOutputHelper output)
{
    private static readonly RegisterResult Absent = RegisterResult.Of((long?)null);

    [Fact]
    public void Sequence_WithTrueAnswers_IsLinearizable() => CheckGood(
        (Read(), Absent, 1, 2),
        (Write(5), RegisterResult.Of(false), 3, 4),
        (Read(), Value(5), 5, 6),
        (RegisterOperation.CompareAndSwap(5, 6), RegisterResult.Of(true), 7, 8),
        (RegisterOperation.CompareAndSwap(5, 7), RegisterResult.Of(false), 9, 10),
        (RegisterOperation.Increment(4), Value(10), 11, 12),
        (Write(3), RegisterResult.Of(true), 13, 14),
        (RegisterOperation.Delete(), RegisterResult.Of(true), 15, 16),
        (RegisterOperation.Delete(), RegisterResult.Of(false), 17, 18),
        (RegisterOperation.CompareAndSwap(null, 1), RegisterResult.Of(true), 19, 20),
        (RegisterOperation.ReadOrWrite(8), Value(1), 21, 22),
        (RegisterOperation.Delete(), RegisterResult.Done, 23, 24),
        (RegisterOperation.Increment(2), Value(2), 25, 26));

    [Theory]
    [InlineData(RegisterAction.Read)]
    [InlineData(RegisterAction.Write)]
    [InlineData(RegisterAction.CompareAndSwap)]
    [InlineData(RegisterAction.Delete)]
    [InlineData(RegisterAction.Increment)]
    [InlineData(RegisterAction.ReadOrWrite)]
    public void Sequence_WithOneFalseAnswer_IsNot(RegisterAction action)
    {
        var (operation, wrong) = action switch
        {
            RegisterAction.Read => (Read(), Value(4)),
            RegisterAction.Write => (Write(9), RegisterResult.Of(false)),
            RegisterAction.CompareAndSwap => (RegisterOperation.CompareAndSwap(4, 9), RegisterResult.Of(true)),
            RegisterAction.Delete => (RegisterOperation.Delete(), RegisterResult.Of(false)),
            RegisterAction.Increment => (RegisterOperation.Increment(1), Value(7)),
            _ => (RegisterOperation.ReadOrWrite(9), Value(9)),
        };
        CheckBad((Write(5), RegisterResult.Done, 1, 2), (operation, wrong, 3, 4));
    }

    [Fact]
    public void StaleRead_AfterTheWriteEnded_IsNotLinearizable() => CheckBad(
        (Write(1), RegisterResult.Done, 1, 2),
        (Write(2), RegisterResult.Done, 3, 4),
        (Read(), Value(1), 5, 6));

    [Fact]
    public void Read_BesideTheWrite_MaySeeEither()
    {
        CheckGood((Write(2), RegisterResult.Done, 1, 9), (Read(), Absent, 2, 3), (Read(), Value(2), 4, 5));
        CheckBad((Write(2), RegisterResult.Done, 1, 9), (Read(), Value(2), 2, 3), (Read(), Absent, 4, 5));
    }

    [Fact]
    public void TwoReaders_SeeingTwoWritesInOppositeOrder_AreNotLinearizable() => CheckBad(
        (Write(1), RegisterResult.Done, 1, 20),
        (Write(2), RegisterResult.Done, 2, 21),
        (Read(), Value(1), 3, 4),
        (Read(), Value(2), 5, 6),
        (Read(), Value(1), 7, 8));

    [Fact]
    public void LostIncrement_IsFound() => CheckBad(
        (RegisterOperation.Increment(1), Value(1), 1, 3),
        (RegisterOperation.Increment(1), Value(1), 2, 4));

    [Fact]
    public void UnknownOutcome_MayHaveHappened_OrNot_OrLater()
    {
        CheckGood((Write(1), null, 1, 1), (Read(), Absent, 2, 3), (Read(), Value(1), 4, 5));
        CheckGood((Write(1), null, 1, 1), (Read(), Absent, 2, 3), (Read(), Absent, 4, 5));
        CheckBad((Write(1), null, 1, 1), (Read(), Value(1), 2, 3), (Read(), Absent, 4, 5));
        CheckBad((Read(), Value(1), 1, 2), (Write(1), null, 3, 3));
        CheckGood(
            (RegisterOperation.Increment(1), null, 1, 1),
            (RegisterOperation.Increment(1), null, 2, 2),
            (RegisterOperation.Increment(1), null, 2, 2),
            (RegisterOperation.Increment(1), Value(3), 3, 4),
            (Read(), Value(4), 5, 6));
    }

    [Fact]
    public void ReadThrough_ThatWasOvertaken_NeedNotStore()
    {
        CheckGood((RegisterOperation.ReadOrWrite(7), Value(7), 1, 2), (Read(), Absent, 3, 4));
        CheckGood((RegisterOperation.ReadOrWrite(7), Value(7), 1, 2), (Read(), Value(7), 3, 4));
        CheckBad((RegisterOperation.ReadOrWrite(7), Value(8), 1, 2));
    }

    [Fact]
    public void Keys_AreJudgedOneByOne_AndTheBadOneIsNamed()
    {
        var history = new RegisterHistory<string>();
        history.Add("good", Write(1), RegisterResult.Done, 1, 2);
        history.Add("bad", Read(), Value(1), 3, 4);
        var verdict = LinearizabilityChecker.Check(history);
        Assert.False(verdict.IsLinearizable);
        Assert.Contains("Key bad: after 0 of 1 calls the value is absent", verdict.Explanation, StringComparison.Ordinal);
        Assert.Contains("[3..4] Read = 1", verdict.Explanation, StringComparison.Ordinal);
    }

    [Fact]
    public void Search_BeyondItsLimit_IsUndecided()
    {
        var history = new RegisterHistory<int>();
        for (var i = 0; i < 10; i++)
            history.Add(0, Write(i), RegisterResult.Done, 1, 100);
        Assert.Equal(LinearizabilityOutcome.Undecided, LinearizabilityChecker.Check(history, 5).Outcome);
    }

    [Fact]
    public void Call_EndedTwice_IsRefused()
    {
        var call = new RegisterHistory<int>().Begin(1, Read());
        call.End(Absent);
        Assert.Throws<InvalidOperationException>(() => call.End(Absent));
    }

    // Compares the checker with the definition: the judge tries every order of a few calls.
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void SmallRandomHistories_AgreeWithTryingEveryOrder(int seed)
    {
        var random = new Random(seed);
        var good = 0;
        const int Histories = 2_000;
        for (var i = 0; i < Histories; i++)
        {
            var history = RandomHistories.Small(random);
            var expected = RandomHistories.HasAnOrder([.. history.Calls]);
            good += expected ? 1 : 0;
            Assert.True(
                expected == LinearizabilityChecker.Check(history).IsLinearizable,
                $"seed {seed}, history {i}: {string.Join("; ", history.Calls)}");
        }

        output.WriteLine($"seed {seed}: {good} of {Histories} are linearizable");
        Assert.InRange(good, Histories / 10, Histories * 9 / 10);
    }

    private static RegisterOperation Read() => RegisterOperation.Read();

    private static RegisterOperation Write(long value) => RegisterOperation.Write(value);

    private static RegisterResult Value(long value) => RegisterResult.Of((long?)value);

    private static void CheckGood(params (RegisterOperation, RegisterResult?, long, long)[] calls)
    {
        var verdict = Check(calls);
        Assert.True(verdict.IsLinearizable, verdict.Explanation);
    }

    private static void CheckBad(params (RegisterOperation, RegisterResult?, long, long)[] calls) =>
        Assert.Equal(LinearizabilityOutcome.NotLinearizable, Check(calls).Outcome);

    private static LinearizabilityVerdict Check((RegisterOperation, RegisterResult?, long, long)[] calls)
    {
        var history = new RegisterHistory<int>();
        foreach (var (operation, result, began, ended) in calls)
            history.Add(1, operation, result, began, ended);
        return LinearizabilityChecker.Check(history);
    }
}
