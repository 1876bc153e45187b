using Cluster.Testing;
using Xunit.Sdk;

namespace Cluster.ConventionTests.TestKit;

/// <summary>The guarantees of child processes to tests: captured output, signals, and no leaks.</summary>
public sealed class ChildProcessTests
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [RequiresUnixFact]
    public async Task Process_ThatEnds_YieldsItsOutputAndExitCode()
    {
        await using var child = ChildProcess.Start("/bin/sh", ["-c", "echo out; echo err >&2; exit 3"]);
        Assert.Equal(3, await child.WaitForExitAsync(Bound));
        Assert.Equal(["err", "out"], child.Lines.Order(StringComparer.Ordinal));
    }

    [RequiresUnixFact]
    public async Task WaitForLine_WhenTheProcessEndsWithoutIt_FailsWithTheOutput()
    {
        await using var child = ChildProcess.Start("/bin/sh", ["-c", "echo port in use"]);
        var failure = await Assert.ThrowsAsync<XunitException>(
            () => child.WaitForLineAsync(line => line == "ready", Bound));
        Assert.Contains("port in use", failure.Message, StringComparison.Ordinal);
    }

    [RequiresUnixFact]
    public async Task Pause_UntilResume_StopsTheProcess()
    {
        await using var child = ChildProcess.Start("/bin/sh", ["-c", "while read line; do echo got $line; done"]);
        child.Pause();
        Assert.Equal('T', StateOf(child.Id));
        await child.Input.WriteLineAsync("one");
        await child.Input.FlushAsync();
        child.Resume();
        Assert.Equal("got one", await child.WaitForLineAsync(line => line.StartsWith('g'), Bound));
    }

    [RequiresUnixFact]
    public async Task Dispose_OfARunningTree_KillsTheDescendantsToo()
    {
        var child = ChildProcess.Start("/bin/sh", ["-c", "sleep 600 & echo $!; wait"]);
        var grandchild = int.Parse(
            await child.WaitForLineAsync(_ => true, Bound), System.Globalization.CultureInfo.InvariantCulture);
        await child.DisposeAsync();
        await child.DisposeAsync();
        await Eventually.TrueAsync(() => StateOf(grandchild) is null or 'Z', Bound);
    }

    [RequiresUnixFact]
    public async Task Terminate_OfAProcess_EndsIt()
    {
        await using var child = ChildProcess.Start("sleep", ["600"]);
        child.Send(ProcessSignal.Terminate);
        Assert.Equal(128 + (int)ProcessSignal.Terminate, await child.WaitForExitAsync(Bound));
    }

    [RequiresUnixFact]
    public async Task ClosedInput_TellsTheChildThatItsParentIsGone()
    {
        await using var child = ChildProcess.Start("cat", []);
        child.Input.Close();
        Assert.Equal(0, await child.WaitForExitAsync(Bound));
    }

    private static char? StateOf(int processId)
    {
        try
        {
            var stat = File.ReadAllText($"/proc/{processId}/stat");
            return stat[stat.LastIndexOf(')') + 2];
        }
        catch (IOException)
        {
            return null;
        }
    }
}
