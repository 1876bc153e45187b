namespace Shop.Drive.Supervision;

/// <summary>One node as a child process: started at once, told to end by closing its standard input. Its last lines of
/// output are kept under a private lock.</summary>
internal sealed class NodeProcess : IDisposable
{
    public const int LineCountMax = 40;

    private readonly Lock _lock = new();
    private readonly Queue<string> _lines = [];
    private readonly Process _process;

    private NodeProcess(string name, Process process)
    {
        Name = name;
        _process = process;
    }

    /// <summary>The node's configured name.</summary>
    public string Name { get; }

    /// <summary>The operating system's number of the process.</summary>
    public int Id { get; private set; }

    /// <summary>Whether the process is still there.</summary>
    public bool IsRunning => !_process.HasExited;

    /// <summary>How the process ended; only after it has.</summary>
    public int ExitCode => _process.ExitCode;

    /// <summary>The last lines that the process printed.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            lock (_lock)
                return [.. _lines];
        }
    }

    /// <summary>Starts a node.</summary>
    /// <param name="name">Its configured name.</param>
    /// <param name="command">What to run.</param>
    /// <param name="onEnd">Told once, on a pool thread, when the process has ended for whatever reason.</param>
    public static NodeProcess Start(string name, ProcessStartInfo command, Action<NodeProcess> onEnd)
    {
        command.RedirectStandardInput = true;
        command.RedirectStandardOutput = true;
        command.RedirectStandardError = true;
        var process = new Process { StartInfo = command, EnableRaisingEvents = true };
        var node = new NodeProcess(name, process);
        process.OutputDataReceived += (_, received) => node.AddLine(received.Data);
        process.ErrorDataReceived += (_, received) => node.AddLine(received.Data);
        process.Exited += (_, _) => onEnd(node);
        process.Start();
        node.Id = process.Id;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return node;
    }

    /// <summary>Kills the process as a crash would: it does nothing any more.</summary>
    public void Kill()
    {
        try
        {
            _process.Kill();
        }
        catch (InvalidOperationException)
        {
            // It ended by itself in the meantime.
        }
    }

    /// <summary>Asks the process to end, and kills it when it does not within a bound.</summary>
    public async Task StopAsync(TimeSpan bound, TimeProvider time)
    {
        CloseInput();
        try
        {
            await _process.WaitForExitAsync().WaitAsync(bound, time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            Kill();
            await _process.WaitForExitAsync().ConfigureAwait(false);
        }
    }

    /// <summary>Waits until the process has ended and all its output has arrived.</summary>
    public Task WaitForEndAsync(CancellationToken cancellationToken) =>
        _process.WaitForExitAsync(cancellationToken);

    /// <summary>Lets go of the process, which goes on if it still runs.</summary>
    public void Dispose() => _process.Dispose();

    private void CloseInput()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended and cannot be told.
        }
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
