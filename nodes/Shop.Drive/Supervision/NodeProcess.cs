namespace Shop.Drive.Supervision;

/// <summary>One node as a child process. It runs from its creation on; closing its standard input asks it to end. A
/// private lock protects its last lines of output.</summary>
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

    public string Name { get; }

    /// <summary>The operating system's number of the process.</summary>
    public int Id { get; private set; }

    public bool IsRunning => !_process.HasExited;

    /// <summary>The exit code. Throws while the process runs.</summary>
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
    /// <param name="name">The node's configured name.</param>
    /// <param name="command">The command to run.</param>
    /// <param name="onEnd">Called once, on a pool thread, when the process has ended for any reason.</param>
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

    /// <summary>Kills the process as a crash would: the process can do nothing more.</summary>
    public void Kill()
    {
        try
        {
            _process.Kill();
        }
        catch (InvalidOperationException)
        {
            // The process has already ended by itself.
        }
    }

    /// <summary>Asks the process to end. Kills it if it has not ended within the bound.</summary>
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

    /// <summary>Releases the handle of the process. A running process goes on.</summary>
    public void Dispose() => _process.Dispose();

    private void CloseInput()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // The process has ended and cannot be asked.
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
