using Cluster.ConventionTests.Model;
using Cluster.Testing;

namespace Cluster.ConventionTests.Ci;

/// <summary>The program that counts the results for the last line of <c>.ci/run</c>, tested with made-up result files:
/// each kind of failure must count as failed.</summary>
public sealed class ResultCounterTests : IDisposable
{
    private const string Python = "/usr/bin/python3";

    private const string Output =
        """
        <Output>
          <StdOut>seed 25</StdOut>
          <ErrorInfo><Message>Expected: 7
        Actual:   8</Message></ErrorInfo>
        </Output>
        """;

    private static readonly TimeSpan Bound = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("counter");

    public ResultCounterTests()
    {
        foreach (var folder in new[] { "results", "tests/A.Tests", "tests/Kit" })
            _folder.CreateSubdirectory(folder);

        Write("tests/A.Tests/A.Tests.csproj", "<Project><IsTestProject>true</IsTestProject></Project>");
        Write("tests/Kit/Kit.csproj", "<Project/>");
        Write("skips.txt", "A.T.Known | needs a tool that only the nightly machine has\n");
    }

    public void Dispose() => _folder.Delete(recursive: true);

    [RequiresFileFact(Python)]
    public Task Count_OfPassedTests_IsGreen() =>
        CheckAsync(0, 0, "2 passed, 0 failed", Trx(Result("One", "Passed") + Result("Two", "Passed")));

    [RequiresFileFact(Python)]
    public Task Count_OfAFailedTest_Fails() => CheckAsync(
        1,
        1,
        "1 passed, 1 failed",
        Trx(Result("One", "Passed") + Result("Two", "Failed"), "Failed", "[xUnit.net 00:00:01.00]     A.T.Two [FAIL]"));

    [RequiresFileFact(Python)]
    public Task Count_OfAFailedTest_SaysWhy_AndWhatItPrinted() => CheckAsync(
        1,
        1,
        "0 passed, 1 failed",
        Trx(Result("Two", "Failed", Output), "Failed"),
        "failed: A.T.Two\n    Expected: 7\n    Actual:   8\n    seed 25\n");

    [RequiresFileFact(Python)]
    public Task Count_WithoutAnyResultFile_NamesTheProject() =>
        CheckAsync(0, 1, "0 passed, 1 failed", trx: null, mentions: "no results from A.Tests");

    [RequiresFileFact(Python)]
    public Task Count_OfAnEmptyResultFile_NamesTheProject() =>
        CheckAsync(0, 1, "0 passed, 1 failed", Trx(""), mentions: "no results from A.Tests");

    [RequiresFileFact(Python)]
    public Task Count_AfterTheHostDied_Fails() => CheckAsync(
        1,
        1,
        "1 passed, 1 failed",
        Trx(Result("One", "Passed"), "Failed", "The active test run was aborted. Reason: Test host process crashed"),
        "outside of any test (A.Tests)");

    [RequiresFileFact(Python)]
    public Task Count_AfterTheHostDied_NamesTheTestThatRan()
    {
        Write("results/Sequence_1.xml", """
            <TestSequence><Test Name="A.T.One" Completed="True" /><Test Name="A.T.Hung" Completed="False" /></TestSequence>
            """);
        return CheckAsync(
            1,
            1,
            "1 passed, 1 failed",
            Trx(Result("One", "Passed"), "Failed", "The active test run was aborted. Reason: Test host process crashed"),
            "running when a test host died: A.T.Hung\n");
    }

    [RequiresFileFact(Python)]
    public Task Count_AfterTheHostHung_SaysThatItWasInactive() => CheckAsync(
        1,
        1,
        "1 passed, 1 failed",
        Trx(Result("One", "Passed"), "Failed", "Reason: Test host process crashed",
            "The specified inactivity time of 10 minutes has elapsed."),
        "Test host process crashed The specified inactivity time of 10 minutes has elapsed.");

    [RequiresFileFact(Python)]
    public Task Count_WhenTheRunEndedBadlyWithoutAnError_Fails() =>
        CheckAsync(1, 1, "1 passed, 1 failed", Trx(Result("One", "Passed"), "Failed"), "the run ended as Failed");

    [RequiresFileFact(Python)]
    public Task Count_OfASkipThatIsNotListed_Fails() => CheckAsync(
        0, 1, "1 passed, 1 failed", Trx(Result("One", "Passed") + Result("New", "NotExecuted")), "A.T.New");

    [RequiresFileFact(Python)]
    public Task Count_OfAListedSkip_IsGreen() =>
        CheckAsync(0, 0, "1 passed, 0 failed", Trx(Result("One", "Passed") + Result("Known", "NotExecuted")));

    [RequiresFileFact(Python)]
    public Task Count_WhenOnlyTheCommandFailed_Fails() =>
        CheckAsync(124, 1, "1 passed, 1 failed", Trx(Result("One", "Passed")), "the test command ended with 124");

    [RequiresFileFact(Python)]
    public Task Count_OfADamagedResultFile_Fails() =>
        CheckAsync(0, 1, "0 passed, 2 failed", "<TestRun", "unreadable result file");

    [RequiresFileFact(Python)]
    public async Task Count_WithASkipWithoutReason_Refuses()
    {
        Write("skips.txt", "A.T.Known\n");
        await CheckAsync(0, 1, "", Trx(Result("One", "Passed")), "no reason for A.T.Known");
    }

    private static string Result(string name, string outcome, string output = "") =>
        $"""
        <UnitTestResult testId="{name}" testName="A.T.{name}" outcome="{outcome}">{output}</UnitTestResult>
        <UnitTest id="{name}"><TestMethod codeBase="/src/A.Tests/bin/A.Tests.dll" className="A.T" name="{name}" /></UnitTest>
        """;

    private static string Trx(
        string results, string outcome = "Completed", string? error = null, string? warning = null) =>
        $"""
        <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
          {results}
          <ResultSummary outcome="{outcome}">
            <RunInfos>{Info("Error", error)}{Info("Warning", warning)}</RunInfos>
          </ResultSummary>
        </TestRun>
        """;

    private static string Info(string outcome, string? text) =>
        text is null ? "" : $"""<RunInfo outcome="{outcome}"><Text>{text}</Text></RunInfo>""";

    private void Write(string path, string text) => File.WriteAllText(Path.Combine(_folder.FullName, path), text);

    private async Task CheckAsync(int commandCode, int expectedCode, string lastLine, string? trx, string mentions = "")
    {
        if (trx is not null)
            Write("results/a.trx", trx);

        string[] arguments =
        [
            Path.Combine(RepositorySnapshot.RootFolder, ".ci/count_results.py"), "--results", "results", "--tests", "tests",
            "--skips", "skips.txt", "--exit-code", commandCode.ToString(System.Globalization.CultureInfo.InvariantCulture),
        ];
        await using var counter = ChildProcess.Start(Python, arguments, InFolder);
        Assert.True(expectedCode == await counter.WaitForExitAsync(Bound), counter.Output);
        Assert.Contains(mentions, counter.Output, StringComparison.Ordinal);
        Assert.EndsWith(lastLine, counter.Output, StringComparison.Ordinal);
    }

    private void InFolder(ProcessStartInfo start) => start.WorkingDirectory = _folder.FullName;
}
