using System.Text.Json;
using Cluster.Benchmarks.Harness;

namespace Cluster.ConventionTests.Benchmarks;

/// <summary>The guarantees for readers of benchmark lines.</summary>
public sealed class HarnessTests
{
    private static readonly BenchmarkRow Ratio = new(
        "slim", "ratio", "x", "a rival", FigureKind.Plain, FigureSense.AtMost, 1.5, 1.1, QuickSize: 10, FullSize: 100);

    private static readonly BenchmarkRow Rate = Ratio with
    {
        Name = "rate",
        Unit = "M/s",
        Kind = FigureKind.Rate,
        Sense = FigureSense.AtLeast,
        Must = 30,
        Goal = 60,
    };

    [Fact]
    public void Report_OfARatio_PrintsOneLineUnscaled()
    {
        var line = Assert.Single(Run(run => run.Report("ratio", 1.23456)));
        Assert.Equal(
            """{"area":"slim","name":"ratio","size":10,"value":1.235,"unit":"x","against":"a rival","must":1.5,"goal":1.1,"scale":1,"ok":true}""",
            line.GetRawText());
    }

    [Theory]
    [Trait("Case", "repair-F")]
    [InlineData(FigureScale.Memory, true)]
    [InlineData(FigureScale.Processor, false)]
    public void Scale_OfARowThatWaitsForMemory_IsThatOfTheMemoryLoop(FigureScale scaledBy, bool isMemory)
    {
        // A step of one loop takes much longer than a step of the other, so a scale from the wrong loop would be far
        // off in each attempt. Several attempts, because other work of the machine slows some of them down.
        var attempts = Enumerable.Range(0, 10).Select(_ =>
            (Rate with { ScaledBy = scaledBy }).MeasureScale()
            / (isMemory ? MemoryLoop.MeasureScale() : ReferenceLoop.MeasureScale()));
        Assert.Contains(attempts, ratio => ratio is > 0.2 and < 5);
        Assert.Equal(1, (Ratio with { ScaledBy = scaledBy }).MeasureScale());
    }

    [Fact]
    [Trait("Case", "repair-F")]
    public void Rows_OfStores_HaveTheKeysAndTheMemoryOfOurs()
    {
        string[] works = ["insert", "insert.fresh", "insert.two", "get.hot", "get.hot.two", "get.cold", "get.cold.two"];
        string[] rivals = ["concurrent", "bitfaster", "faster", "memorycache"];
        var rows = BenchmarkTable.Load().RowsOf("cache").ToDictionary(row => row.Name);
        foreach (var work in works)
        {
            var ours = rows[work];
            Assert.All(rivals.Select(rival => rows[$"{work}.{rival}"]), row => Assert.Equal(
                (ours.QuickSize, ours.FullSize, ours.Memory), (row.QuickSize, row.FullSize, row.Memory)));
        }
    }

    [Fact]
    [Trait("Case", "repair-F")]
    public void Rows_OfThePile_CompareItWithNoStoreThatHasKeys() => Assert.DoesNotContain(
        BenchmarkTable.Load().RowsOf("pile"),
        row => row.Against.Contains("Dictionary", StringComparison.Ordinal)
            && (row.Name.StartsWith("put", StringComparison.Ordinal) || row.Name.StartsWith("read", StringComparison.Ordinal)));

    [Fact]
    public void Report_BeyondTheMust_IsNotOk() =>
        Assert.False(Assert.Single(Run(run => run.Report("ratio", 1.51))).GetProperty("ok").GetBoolean());

    [Fact]
    public void Report_ThatIsNoNumber_IsNotOk() =>
        Assert.False(Assert.Single(Run(run => run.Report("ratio", double.NaN))).GetProperty("ok").GetBoolean());

    [Fact]
    public void Run_ThatLeavesARowOut_PrintsItAsNotOk()
    {
        var line = Assert.Single(Run(_ => { }));
        Assert.False(line.GetProperty("ok").GetBoolean());
        Assert.Equal(JsonValueKind.Null, line.GetProperty("value").ValueKind);
    }

    [Fact]
    public void Run_OfSomeRows_MeasuresAndPrintsOnlyThose()
    {
        var output = new StringWriter();
        var run = new BenchmarkRun([Ratio, Rate], BenchmarkMode.Quick, TimeSpan.FromSeconds(30), output, "ratio");
        Assert.Equal((true, false, true), (run.Wants("ratio"), run.Wants("rate"), run.Wants("rate", "ratio")));
        run.Report("rate", 1);
        Assert.Equal(1, run.Close());
        var line = JsonDocument.Parse(Assert.Single(output.ToString().TrimEnd().Split('\n'))).RootElement;
        Assert.Equal("ratio", line.GetProperty("name").GetString());
    }

    [Theory]
    [InlineData("slim", "--quick", "--rows", "write.allocated")]
    [InlineData("slim", "--rows", "write.allocated", "--quick")]
    public void Program_WithRows_PrintsNoOthers(params string[] arguments)
    {
        var output = new StringWriter();
        Assert.Equal(0, BenchmarkProgram.Run(arguments, output, TextWriter.Null));
        Assert.Contains("write.allocated", Assert.Single(output.ToString().TrimEnd().Split('\n')), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "repair-F")]
    public void HitRows_OfTheSmallerSize_AreAllPrinted_WithOneMeaningOfCapacity()
    {
        var output = new StringWriter();
        string[] rows = ["hit.1.same.keys", "hit.1.bitfaster", "hit.1.lru"];
        Assert.Equal(0, BenchmarkProgram.Run(["cache", "--quick", "--rows", string.Join(',', rows)], output, TextWriter.Null));
        var percents = output.ToString().TrimEnd().Split('\n')
            .Select(line => JsonDocument.Parse(line).RootElement)
            .ToDictionary(line => line.GetProperty("name").GetString()!, line => line.GetProperty("value").GetDouble());

        // With the same number of entries as the rival, a policy of the same kind has about the same hit ratio, and LRU
        // a lower one.
        Assert.Equal(percents["hit.1.bitfaster"], percents["hit.1.same.keys"], 1.0);
        Assert.True(percents["hit.1.same.keys"] > percents["hit.1.lru"] + 3);
    }

    [Fact]
    public void Run_ThatFails_PrintsTheRestAndTheFailure()
    {
        var problems = new StringWriter();
        var lines = Run(_ => throw new InvalidOperationException("broken"), problems);
        Assert.Single(lines);
        Assert.Contains("broken", problems.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Run_BeyondItsTime_EndsAndIgnoresLateReports()
    {
        using var isOver = new ManualResetEventSlim();
        var output = new StringWriter();
        var run = new BenchmarkRun([Ratio], BenchmarkMode.Quick, TimeSpan.FromMilliseconds(50), output);
        var outcome = BenchmarkProgram.RunWatched(new Area(_ => isOver.Wait()), run, TextWriter.Null);
        run.Close();
        run.Report("ratio", 1);
        isOver.Set();
        Assert.Equal(1, outcome);
        Assert.Single(output.ToString().TrimEnd().Split('\n'));
    }

    [Theory]
    [InlineData(2.0, 15.1, true)]
    [InlineData(2.0, 14.9, false)]
    [InlineData(1.0, 29.9, false)]
    public void Rate_OnASlowMachine_HasALowerMust(double scale, double value, bool isMet)
    {
        Assert.Equal(isMet, Rate.IsMetBy(value, scale));
        Assert.Equal(30 / scale, Figure.Measured(Rate, value, 1, scale).Must);
    }

    [Fact]
    public void Time_OnASlowMachine_HasAHigherMust() =>
        Assert.Equal(3, Figure.Measured(Ratio with { Kind = FigureKind.Time }, 1, 1, scale: 2).Must);

    [Fact]
    public void ReferenceLoop_Measured_IsAPlausibleMachine() => Assert.InRange(ReferenceLoop.MeasureScale(), 0.1, 100);

    [Fact]
    public void Rounds_OnAMachineThatDrifts_AreJudgedEachByItsOwnScale()
    {
        // On the machine of the bounds the work takes 10. Some rounds ran while the machine was half as fast.
        ScaledRounds rounds = new();
        foreach (var scale in new[] { 1.0, 2, 1, 2, 2 })
            rounds.Add(10 * scale, scale);

        Assert.Equal(20, rounds.Value);
        Assert.Equal(2, rounds.Scale);
        var row = Ratio with { Kind = FigureKind.Time, Must = 10.5 };
        Assert.True(row.IsMetBy(rounds.Value, rounds.Scale));
        Assert.False(row.IsMetBy(rounds.Value, 1));
    }

    [Fact]
    public void Report_OfRounds_PrintsTheMedianAndItsScale()
    {
        var line = Assert.Single(Run(run =>
        {
            ScaledRounds rounds = new();
            rounds.Add(() => 1.25);
            run.Report("ratio", rounds);
        }));
        Assert.Equal(1.25, line.GetProperty("value").GetDouble());
        Assert.True(line.GetProperty("ok").GetBoolean());
    }

    [Fact]
    public void Race_Rounds_AreTheTimesOfOneContender()
    {
        var race = Race.Run(TimeSpan.FromMilliseconds(60), new Contender("spin", count => Thread.SpinWait(count)));
        Assert.Equal(race.Nanoseconds("spin") / 1000, race.Rounds("spin", nanosecondsPerUnit: 1000).Value, 1e-9);
        Assert.InRange(race.Rounds("spin", 1).Scale, 0.1, 100);
    }

    [Fact]
    public void Race_OfUnequalWork_RanksIt()
    {
        WorkClock clock = new();
        var race = Race.Run(
            clock,
            TimeSpan.FromMilliseconds(300),
            new Contender("short", count => clock.Work(count, nanoseconds: 100)),
            new Contender("long", count => clock.Work(count, nanoseconds: 1_000)));
        Assert.Equal(100, race.Nanoseconds("short"), 1e-6);
        Assert.Equal(10, race.TimeRatio("long", "short"), 1e-6);
        Assert.Equal(10, race.RateRatio("short", "long"), 1e-6);
        Assert.Equal(1e6, race.Rate("long"), 1e-3);
        Assert.InRange(clock.Now, TimeSpan.FromMilliseconds(150), TimeSpan.FromMilliseconds(600));
    }

    [Theory]
    [InlineData(400, 200)]
    [InlineData(5_000, 250)]
    public void Race_BeforeItsRounds_RunsLongEnoughToBeCompiledTwice(int budget, int warmUp)
    {
        WorkClock clock = new();
        List<TimeSpan> starts = [];
        Race.Run(clock, TimeSpan.FromMilliseconds(budget), new Contender("work", count =>
        {
            starts.Add(clock.Now);
            clock.Work(count, nanoseconds: 1_000);
        }));
        Assert.InRange(starts[^15], TimeSpan.FromMilliseconds(warmUp), TimeSpan.FromMilliseconds(budget));
    }

    [Fact]
    public void Race_WhoseFirstOperationTakesLong_HasRoundsOfManyOperations()
    {
        WorkClock clock = new();
        List<int> counts = [];
        Race.Run(clock, TimeSpan.FromMilliseconds(400), new Contender("work", count =>
        {
            clock.Work(counts.Count == 0 ? 1_000_000 : count, nanoseconds: 1_000);
            counts.Add(count);
        }));
        Assert.True(counts[^1] >= 1_000, $"Each round had {counts[^1]} operations.");
    }

    [Fact]
    public void Table_WithADoubledRow_IsRefused()
    {
        const string row = """{"area":"a","name":"n","unit":"x","against":"r","kind":"plain","sense":"atMost","must":1,"goal":null,"quickSize":1,"fullSize":1}""";
        Assert.Throws<FormatException>(() => BenchmarkTable.Parse($"[{row},{row}]"));
    }

    [Theory]
    [InlineData]
    [InlineData("nonsense")]
    [InlineData("slim", "--fast")]
    [InlineData("slim", "pile")]
    [InlineData("slim", "--rows")]
    [InlineData("slim", "--rows", "a.write,churn.pairs")]
    public void Program_WithAWrongCommandLine_SaysHow(params string[] arguments)
    {
        var problems = new StringWriter();
        Assert.Equal(2, BenchmarkProgram.Run(arguments, TextWriter.Null, problems));
        Assert.Contains("slim", problems.ToString(), StringComparison.Ordinal);
    }

    private static List<JsonElement> Run(Action<BenchmarkRun> measure, TextWriter? problems = null)
    {
        var output = new StringWriter();
        var run = new BenchmarkRun([Ratio], BenchmarkMode.Quick, TimeSpan.FromSeconds(30), output);
        BenchmarkProgram.RunWatched(new Area(measure), run, problems ?? TextWriter.Null);
        run.Close();
        return [.. output.ToString().TrimEnd().Split('\n').Select(line => JsonDocument.Parse(line).RootElement)];
    }

    private sealed class Area(Action<BenchmarkRun> measure) : IBenchmarkArea
    {
        public string Name => "slim";

        public void Run(BenchmarkRun run) => measure(run);
    }

    /// <summary>A clock that advances only by the work that the contenders report, so that other work of the machine
    /// has no effect.</summary>
    private sealed class WorkClock : TimeProvider
    {
        private long _nanoseconds;

        public override long TimestampFrequency => 1_000_000_000;

        public TimeSpan Now => GetElapsedTime(0, GetTimestamp());

        public override long GetTimestamp() => _nanoseconds;

        public void Work(int count, int nanoseconds) => _nanoseconds += (long)count * nanoseconds;
    }
}
