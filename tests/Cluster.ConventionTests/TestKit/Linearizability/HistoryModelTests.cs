using Cluster.Testing.Linearizability;
using Cluster.Testing.Linearizability.Counters;
using Cluster.Testing.Linearizability.Lists;
using Cluster.Testing.Linearizability.Maps;
using Cluster.Testing.Linearizability.Versions;
using Xunit.Abstractions;

namespace Cluster.ConventionTests.TestKit.Linearizability;

/// <summary>Known good and bad histories of each model, and small random ones that are judged by trying every
/// order.</summary>
public sealed class HistoryModelTests(ITestOutputHelper output)
{
    [Fact]
    public void Counter_CountsEachAdditionOnce()
    {
        CheckGood(CounterModel.Instance, (new(2), new(2), 1, 4), (new(1), new(3), 2, 5), (new(0), new(3), 6, 7));
        CheckGood(CounterModel.Instance, (new(2), null, 1, 2), (new(0), new(0), 3, 4), (new(0), new(2), 5, 6));
        CheckBad(CounterModel.Instance, (new(2), new(2), 1, 2), (new(0), new(4), 3, 4));
        CheckBad(CounterModel.Instance, (new(2), null, 1, 2), (new(0), new(2), 3, 4), (new(0), new(0), 5, 6));
        CheckBad(CounterModel.Instance, (new(1), new(1), 1, 2), (new(1), new(1), 3, 4));
    }

    [Fact]
    public void List_KeepsOrder_AndLosesNothing()
    {
        CheckGood(AppendModel.Instance, (new(7), List(7), 1, 2), (new(8), List(7, 8), 3, 4), (new(null), List(7, 8), 5, 6));
        CheckGood(AppendModel.Instance, (new(7), List(8, 7), 1, 4), (new(8), List(8), 2, 5));
        CheckGood(AppendModel.Instance, (new(7), null, 1, 2), (new(null), List(), 3, 4), (new(null), List(7), 5, 6));
        CheckBad(AppendModel.Instance, (new(7), List(7), 1, 2), (new(8), List(8), 3, 4));
        CheckBad(AppendModel.Instance, (new(7), List(8, 7), 1, 2), (new(8), List(8), 3, 4));
        CheckBad(AppendModel.Instance, (new(7), null, 1, 2), (new(null), List(7, 7), 3, 4));
    }

    [Fact]
    public void Map_IsJudgedAsAWhole()
    {
        var (one, two) = (new MapOperation(MapAction.Put, "a", 1), new MapOperation(MapAction.Put, "b", 2));
        var count = new MapOperation(MapAction.Count);
        CheckGood(MapModel.Instance, (one, new(Found: false), 1, 9), (two, new(Found: false), 2, 8), (count, new(1), 3, 4));
        CheckGood(MapModel.Instance, (one, null, 1, 2), (count, new(0), 3, 4), (count, new(1), 5, 6));
        CheckBad(MapModel.Instance, (one, default(MapResult), 1, 2), (two, default(MapResult), 3, 4), (count, new(1), 5, 6));

        // Each key alone could be explained, but not both counts.
        CheckBad(
            MapModel.Instance,
            (one, default(MapResult), 1, 9),
            (two, default(MapResult), 1, 9),
            (count, new(2), 2, 3),
            (new(MapAction.Get, "a"), default(MapResult), 4, 5));
        CheckBad(MapModel.Instance, (one, default(MapResult), 1, 2), (new(MapAction.Remove, "a"), new(Found: false), 3, 4));
    }

    [Fact]
    public void Version_TellsWhichPutWasFirst()
    {
        var (put, get) = (new VersionedOperation(VersionedAction.Put, 5), new VersionedOperation(VersionedAction.Get));
        var ifNone = new VersionedOperation(VersionedAction.PutIfVersion, 6, 0);
        var ifThree = new VersionedOperation(VersionedAction.PutIfVersion, 6, 3);
        var model = VersionedModel.Instance;
        CheckGood(model, (put, new(Version: 3), 1, 2), (ifThree, new(true, Version: 4), 3, 4), (get, new(null, 6, 4), 5, 6));
        CheckGood(model, (put, null, 1, 2), (ifThree, new(true, Version: 4), 3, 4), (get, new(null, 6, 4), 5, 6));
        CheckGood(model, (put, null, 1, 2), (ifThree, new(false, Version: 2), 3, 4), (get, new(null, 5, 2), 5, 6));
        CheckGood(model, (put, null, 1, 2), (ifNone, new(true, Version: 4), 3, 4), (get, new(null, 6, 4), 5, 6));
        CheckBad(model, (put, new(Version: 3), 1, 2), (ifNone, new(true, Version: 4), 3, 4));
        CheckBad(model, (put, new(Version: 3), 1, 2), (ifThree, new(false, Version: 3), 3, 4));
        CheckBad(model, (put, new(Version: 3), 1, 2), (put, new(Version: 2), 3, 4));
        CheckBad(model, (put, new(Version: 3), 1, 2), (get, new(null, 5, 4), 3, 4));
        CheckBad(model, (ifThree, new(true, Version: 4), 1, 2));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void SmallRandomHistories_OfEachModel_AgreeWithTryingEveryOrder(int seed)
    {
        CheckSmall(SampleObjects.Register, seed);
        CheckSmall(SampleObjects.Versioned, seed);
        CheckSmall(SampleObjects.Counter, seed);
        CheckSmall(SampleObjects.List, seed);
        CheckSmall(SampleObjects.Map, seed);
    }

    private static AppendResult List(params long[] items) => new(AppendedList.Of(items));

    private void CheckSmall<TState, TOperation, TResult>(SampleObject<TState, TOperation, TResult> sample, int seed)
        where TResult : struct
    {
        const int Histories = 2_000;
        var (random, good) = (new Random(seed), 0);
        for (var index = 0; index < Histories; index++)
        {
            var history = SampleHistories.MakeSmall(sample, random);
            var expected = SampleHistories.HasAnOrder(sample.Model, [.. history.Calls], sample.Model.Initial);
            good += expected ? 1 : 0;
            Assert.True(
                expected == LinearizabilityChecker.Check(history, sample.Model).IsLinearizable,
                $"{sample.Model.GetType().Name}, seed {seed}, history {index}: {string.Join("; ", history.Calls)}");
        }

        output.WriteLine($"{sample.Model.GetType().Name}, seed {seed}: {good} of {Histories} are linearizable");
        Assert.InRange(good, Histories / 20, Histories * 19 / 20);
    }

    private static void CheckGood<TState, TOperation, TResult>(
        IHistoryModel<TState, TOperation, TResult> model, params (TOperation, TResult?, long, long)[] calls)
        where TResult : struct
    {
        var verdict = Check(model, calls);
        Assert.True(verdict.IsLinearizable, verdict.Explanation);
    }

    private static void CheckBad<TState, TOperation, TResult>(
        IHistoryModel<TState, TOperation, TResult> model, params (TOperation, TResult?, long, long)[] calls)
        where TResult : struct =>
        Assert.Equal(LinearizabilityOutcome.NotLinearizable, Check(model, calls).Outcome);

    private static LinearizabilityVerdict Check<TState, TOperation, TResult>(
        IHistoryModel<TState, TOperation, TResult> model, (TOperation, TResult?, long, long)[] calls)
        where TResult : struct
    {
        var history = new History<int, TOperation, TResult>();
        foreach (var (operation, result, began, ended) in calls)
            history.Add(1, operation, result, began, ended);
        return LinearizabilityChecker.Check(history, model);
    }
}
