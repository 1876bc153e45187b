namespace Cluster.Benchmarks.Glue;

/// <summary>This program once more, with arguments, and the line that it prints when it is ready. Disposal closes its
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

    public static ChildPeer Start(params ReadOnlySpan<string> arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            UseShellExecute = false,
        };
        if (Path.GetFileNameWithoutExtension(start.FileName) == "dotnet")
            start.ArgumentList.Add(typeof(ChildPeer).Assembly.Location);
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        var process = Process.Start(start)!;
        var line = process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException($"The process with {start.ArgumentList[^1]} did not start.");
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
