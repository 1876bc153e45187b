namespace Cluster.Benchmarks.Glue;

/// <summary>This program once more, with an argument, and the line that it prints when it is ready. Disposal closes its
/// standard input, which ends it.</summary>
internal sealed class ChildPeer : IDisposable
{
    private const int EndMilliseconds = 5000;

    private readonly Process _process;

    private ChildPeer(Process process, string firstLine)
    {
        _process = process;
        FirstLine = firstLine;
    }

    public string FirstLine { get; }

    /// <summary>What the process has used of the processors so far.</summary>
    public TimeSpan ProcessorTime
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    public static ChildPeer Start(string argument)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(typeof(ChildPeer).Assembly.Location);
        start.ArgumentList.Add(argument);
        var process = Process.Start(start)!;
        var line = process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException($"The process with {argument} did not start.");
        return new ChildPeer(process, line);
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(EndMilliseconds))
            _process.Kill();
        _process.Dispose();
    }
}
