namespace Cluster.Testing;

/// <summary>A process that a test starts, watches, signals and never leaks: disposal kills it with its descendants, and
/// the end of the test process kills what is left. Output of both streams is captured line by line; a private lock
/// protects it.</summary>
public sealed class ChildProcess : IAsyncDisposable
{
    /// <summary>The most output lines kept; older ones are dropped.</summary>
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

    /// <summary>What was started, for messages.</summary>
    public string Command { get; }

    /// <summary>The process id.</summary>
    public int Id => _process.Id;

    /// <summary>Whether the process has ended.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>How the process ended; only after it has.</summary>
    public int ExitCode => _process.ExitCode;

    /// <summary>The process's standard input; closing it tells the child that its parent is gone.</summary>
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
    /// <param name="arguments">Its arguments, unquoted.</param>
    /// <param name="configure">Sets environment variables or the working directory.</param>
    public static ChildProcess Start(
        string program, IEnumerable<string> arguments, Action<ProcessStartInfo>? configure = null)
    {
        var start = new ProcessStartInfo(program, arguments);
        configure?.Invoke(start);
        return new ChildProcess(start);
    }

    /// <summary>Runs a managed assembly with the runtime this test runs on.</summary>
    /// <param name="assemblyPath">The dll.</param>
    /// <param name="arguments">Its arguments, unquoted.</param>
    /// <param name="configure">Sets environment variables or the working directory.</param>
    public static ChildProcess StartDotnet(
        string assemblyPath, IEnumerable<string> arguments, Action<ProcessStartInfo>? configure = null)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        return Start(host, ["exec", assemblyPath, .. arguments], configure);
    }

    /// <summary>Sends a POSIX signal to the process itself, not to its descendants.</summary>
    /// <param name="signal">Which one.</param>
    public void Send(ProcessSignal signal) => PosixSignals.Send(Id, signal);

    /// <summary>Freezes the process: it keeps its sockets and locks, but does nothing. Returns when every thread stands
    /// still, because the signal is only on its way when the call that sends it returns, and a thread may answer one
    /// more request.</summary>
    public void Pause()
    {
        Send(ProcessSignal.Pause);
        if (!SpinWait.SpinUntil(() => PosixSignals.IsStopped(Id), SignalBound))
            throw new Xunit.Sdk.XunitException($"{Command} did not stop within {SignalBound.TotalSeconds} s.");
    }

    /// <summary>Lets a frozen process run again.</summary>
    public void Resume() => Send(ProcessSignal.Resume);

    /// <summary>Kills the process and its descendants at once; does nothing when it has ended.</summary>
    public void Kill()
    {
        try
        {
            _process.Kill(entireProcessTree: true);
        }
        catch (Exception failure) when (failure is InvalidOperationException or AggregateException)
        {
            // It ended by itself in the meantime, which is what we want.
        }
    }

    /// <summary>Kills only this process, as a crash would; its descendants live on.</summary>
    public void KillAlone()
    {
        if (!HasExited)
            _process.Kill(entireProcessTree: false);
    }

    /// <summary>Waits for the end of the process and of its output.</summary>
    /// <param name="bound">How long at most; then the test fails with the output so far.</param>
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

    /// <summary>Waits for an output line; fails the test with the whole output when it does not come or the process
    /// ends.</summary>
    /// <param name="isAwaited">Recognizes the line.</param>
    /// <param name="bound">How long at most.</param>
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
            // The message below carries the output, which says why the line did not come.
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
            // A detached descendant holds the output pipe open; the process itself is gone.
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
