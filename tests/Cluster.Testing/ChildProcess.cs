namespace Cluster.Testing;

/// <summary>A process that a test starts, watches and signals. It never outlives the test: disposal kills it with its
/// descendants, and the end of the test process kills the rest. The lines of both output streams are captured; a
/// private lock protects them.</summary>
public sealed class ChildProcess : IAsyncDisposable
{
    /// <summary>The maximum number of kept output lines; older lines are dropped.</summary>
    public const int LineCountMax = 100_000;

    private static readonly TimeSpan DisposalBound = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan SignalBound = TimeSpan.FromMinutes(1);
    private static readonly ConcurrentDictionary<ChildProcess, bool> Running = new();

    private readonly Lock _lock = new();
    private readonly Queue<string> _lines = new();
    private readonly Process _process;

    static ChildProcess() => AppDomain.CurrentDomain.ProcessExit += static (_, _) =>
    {
        foreach (var child in Running.Keys)
            child.Kill();
    };

    private ChildProcess(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.RedirectStandardInput = true;
        start.UseShellExecute = false;
        Command = $"{Path.GetFileName(start.FileName)} {string.Join(' ', start.ArgumentList)}";
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, received) => AddLine(received.Data);
        _process.ErrorDataReceived += (_, received) => AddLine(received.Data);
        _process.Start();
        Running[this] = true;
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The command that was started, for messages.</summary>
    public string Command { get; }

    /// <summary>The process id.</summary>
    public int Id => _process.Id;

    /// <summary>Whether the process has ended.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>The exit code. Throws while the process runs.</summary>
    public int ExitCode => _process.ExitCode;

    /// <summary>The standard input of the process. Closing it tells the child that its parent is gone.</summary>
    public StreamWriter Input => _process.StandardInput;

    /// <summary>The lines of both output streams so far.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lock)
                return [.. _lines];
        }
    }

    /// <summary>The captured output as one text.</summary>
    public string Output => string.Join(Environment.NewLine, Lines);

    /// <summary>Starts a program.</summary>
    /// <param name="program">The file to run, or a name on the path.</param>
    /// <param name="arguments">The arguments, unquoted.</param>
    /// <param name="configure">Sets environment variables or the working directory.</param>
    public static ChildProcess Start(
        string program, IEnumerable<string> arguments, Action<ProcessStartInfo>? configure = null)
    {
        var start = new ProcessStartInfo(program, arguments);
        configure?.Invoke(start);
        return new ChildProcess(start);
    }

    /// <summary>Runs a managed assembly with the .NET runtime of this test.</summary>
    /// <param name="assemblyPath">The path of the dll.</param>
    /// <param name="arguments">The arguments, unquoted.</param>
    /// <param name="configure">Sets environment variables or the working directory.</param>
    public static ChildProcess StartDotnet(
        string assemblyPath, IEnumerable<string> arguments, Action<ProcessStartInfo>? configure = null)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return Start(host, ["exec", assemblyPath, .. arguments], configure);
    }

    /// <summary>Sends a POSIX signal to the process itself, not to its descendants.</summary>
    /// <param name="signal">The signal.</param>
    public void Send(ProcessSignal signal) => PosixSignals.Send(Id, signal);

    /// <summary>Freezes the process: it keeps its sockets and locks, but does nothing. Returns when every thread has
    /// stopped: the system call returns before the signal arrives, and until then a thread may answer one more
    /// request.</summary>
    public void Pause()
    {
        Send(ProcessSignal.Pause);
        if (!SpinWait.SpinUntil(() => PosixSignals.IsStopped(Id), SignalBound))
            throw new Xunit.Sdk.XunitException($"{Command} did not stop within {SignalBound.TotalSeconds} s.");
    }

    /// <summary>Lets a frozen process run again.</summary>
    public void Resume() => Send(ProcessSignal.Resume);

    /// <summary>Kills the process and its descendants at once. Does nothing if the process has ended.</summary>
    public void Kill()
    {
        try
        {
            _process.Kill(entireProcessTree: true);
        }
        catch (Exception failure) when (failure is InvalidOperationException or AggregateException)
        {
            // The process has already ended by itself.
        }
    }

    /// <summary>Kills only this process, as a crash would. Its descendants go on.</summary>
    public void KillAlone()
    {
        if (!HasExited)
            _process.Kill(entireProcessTree: false);
    }

    /// <summary>Waits for the end of the process and of its output.</summary>
    /// <param name="bound">The maximum wait. After it the test fails, with the output as the message.</param>
    /// <returns>The exit code.</returns>
    public async Task<int> WaitForExitAsync(TimeSpan bound)
    {
        try
        {
            await _process.WaitForExitAsync().WaitAsync(bound).ConfigureAwait(false);
            return ExitCode;
        }
        catch (TimeoutException)
        {
            throw new Xunit.Sdk.XunitException(
                $"{Command} did not end within {bound.TotalSeconds} s. Its output:{Environment.NewLine}{Output}");
        }
    }

    /// <summary>Waits for an output line. Fails the test with the whole output if the line does not come or the process
    /// ends.</summary>
    /// <param name="isAwaited">Recognizes the line.</param>
    /// <param name="bound">The maximum wait.</param>
    public async Task<string> WaitForLineAsync(Func<string, bool> isAwaited, TimeSpan bound)
    {
        string? line = null;
        try
        {
            await Eventually
                .TrueAsync(() => (line = Lines.FirstOrDefault(isAwaited)) is not null || HasExited, bound)
                .ConfigureAwait(false);
        }
        catch (Xunit.Sdk.XunitException)
        {
            // The message below contains the output, which shows why the line did not come.
        }

        if (line is null && HasExited)
        {
            await WaitForExitAsync(bound).ConfigureAwait(false);
            line = Lines.FirstOrDefault(isAwaited);
        }

        return line ?? throw new Xunit.Sdk.XunitException(
            $"The line did not come within {bound.TotalSeconds} s; {Command} "
            + $"{(HasExited ? $"ended with {ExitCode}" : "still runs")}. Its output:{Environment.NewLine}{Output}");
    }

    /// <summary>Kills the process and its descendants and waits for the end. Idempotent.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!Running.TryRemove(this, out _))
            return;

        Kill();
        try
        {
            await _process.WaitForExitAsync().WaitAsync(DisposalBound).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // A detached descendant may keep the output pipe open. The process itself has ended.
        }

        _process.Dispose();
    }

    private void AddLine(string? line)
    {
        if (line is null)
            return;

        lock (_lock)
        {
            if (_lines.Count == LineCountMax)
                _lines.Dequeue();

            _lines.Enqueue(line);
        }
    }
}
