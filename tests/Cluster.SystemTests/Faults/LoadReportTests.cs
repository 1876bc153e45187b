namespace Cluster.SystemTests.Faults;

/// <summary>Which gap a report finds in known operations on one partition.</summary>
public sealed class LoadReportTests
{
    private const int Partition = 7;

    [Fact]
    public void LongestGap_OfAnswersOneAfterTheOther_IsTheLongestOperation() =>
        CheckGap(0.5, Done(1, 1.1), Done(2, 2.5), Done(3, 3.1));

    [Fact]
    public void LongestGap_BeginsWithTheFirstTryThatWasNotAnswered() =>
        CheckGap(6, Done(1, 1.1), Failed(2, 3), Failed(4, 5), Done(7, 8));

    [Fact]
    public void LongestGap_EndsWithTheFirstAnswer_AlsoOfAnOperationThatBeganLater() =>
        CheckGap(3, Done(1, 1.1), Done(2, 5), Done(4.9, 5.2), Done(2.1, 5.3));

    [Fact]
    public void LongestGap_OfAnOperationThatOthersOvertake_CountsFromTheAnswerBefore() =>
        CheckGap(1, Done(1, 1.1), Done(2, 4), Done(3, 3.9), Done(2.9, 3.0));

    [Fact]
    public void LongestGap_WithoutAnAnswerAtTheEnd_LastsUntilTheLastOperation() =>
        CheckGap(4, Done(1, 1.1), Failed(2, 3), Failed(4, 6));

    [Fact]
    public void LongestGap_OfWrites_LeavesReadsOut()
    {
        LoadEntry[] entries = [Write(1, 1.1), Write(2, 6), Done(3, 3.1), Done(4, 4.1)];
        var report = new LoadReport(entries);
        Assert.Equal(4, report.LongestGap([Partition], 0, 10, isOfWrites: true).Seconds, 3);
        Assert.Equal(1.9, report.LongestGap([Partition], 0, 10).Seconds, 3);
    }

    [Fact]
    public void LongestGap_BeforeTheFault_IsLeftOut()
    {
        var report = new LoadReport([Done(1, 1.1), Done(2, 5), Done(6, 6.2)]);
        Assert.Equal(0.2, report.LongestGap([Partition], from: 5.5, until: 10).Seconds, 3);
    }

    [Theory]
    [InlineData(100, true)]
    [InlineData(99, false)]
    [Trait("Case", "experience-X2")]
    public void CheckRate_ThatARunNeeds_FailsBelowAHundredAnswersASecond(int answers, bool isEnough)
    {
        LoadEntry[] entries =
        [
            .. Enumerable.Range(0, answers).Select(number => Done(1, 1.5 + (0.001 * number))),
            Failed(1, 1.5), Done(0.5, 0.9), Done(1, 2),
        ];
        var failure = Record.Exception(() => new LoadReport(entries).CheckRate(from: 1, until: 2));
        Assert.Equal(isEnough, failure is null);
    }

    private static void CheckGap(double seconds, params LoadEntry[] entries) =>
        Assert.Equal(seconds, new LoadReport(entries).LongestGap([Partition], 0, 10).Seconds, 3);

    private static LoadEntry Done(double began, double ended) => Entry(LoadKind.Read, began, ended, LoadOutcome.Done);

    private static LoadEntry Write(double began, double ended) => Entry(LoadKind.Put, began, ended, LoadOutcome.Done);

    private static LoadEntry Failed(double began, double ended) =>
        Entry(LoadKind.Read, began, ended, LoadOutcome.Refused);

    private static LoadEntry Entry(LoadKind kind, double began, double ended, LoadOutcome outcome) =>
        new(Partition, kind, began, ended, outcome);
}
