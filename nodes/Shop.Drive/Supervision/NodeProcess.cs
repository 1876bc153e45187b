namespace Shop.Drive.Supervision;

/// <summary>One node as a child process. It runs from its creation on; closing its standard input asks it to end. When
/// it has ended, it releases the handle and the pipes of the process by itself. A private lock protects its last lines
/// of output and the release.</summary>
internal sealed class NodeProcess
{
    public const int LineCountMax = 40;

    private readonly Lock _lock = new();
    private readonly Queue<string> _lines = [];
    private readonly Process _process;
    private readonly TaskCompletionSource _reported = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _release = Task.CompletedTask;
    private bool _isReleased;
    private int _exitCode;
    private volatile bool _hasEnded;

    private NodeProcess(string name, Process process)
    {
        Name = name;
        _process = process;
    }

    public string Name { get; }

    /// <summary>The operating system's number of the process.</summary>
    public int Id { get; private set; }

    public bool IsRunning => !_hasEnded;

    /// <summary>The exit code. Throws while the process runs.</summary>
    public int ExitCode =>
        _hasEnded ? _exitCode : throw new InvalidOperationException($"The process of node {Name} runs.");

    /// <summary>Whether the handle and the pipes of the process are released.</summary>
    public bool IsReleased
    {
        get
        {
            lock (_lock)
                return _isReleased;
        }
    }

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
        process.Exited += (_, _) => node.End(onEnd);
        process.Start();
        node.Id = process.Id;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        node._release = node.ReleaseAsync();
        return node;
    }

    /// <summary>Kills the process as a crash would: the process can do nothing more.</summary>
    public void Kill()
    {
        lock (_lock)
        {
            if (!_isReleased)
                KillNeedsLock();
        }
    }

    /// <summary>Asks the process to end. Kills it if it has not ended within the bound.</summary>
    public async Task StopAsync(TimeSpan bound, TimeProvider time)
    {
        CloseInput();
        try
        {
            await _release.WaitAsync(bound, time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            Kill();
            await _release.ConfigureAwait(false);
        }
    }

    /// <summary>Waits until the process has ended and all its output has arrived.</summary>
    public Task WaitForEndAsync(CancellationToken cancellationToken) => _release.WaitAsync(cancellationToken);

    // After the release no event is raised, so the release waits until the end has been reported.
    private async Task ReleaseAsync()
    {
        await _process.WaitForExitAsync().ConfigureAwait(false);
        await _reported.Task.ConfigureAwait(false);
        lock (_lock)
        {
            _isReleased = true;
            _process.Dispose();
        }
    }

    private void End(Action<NodeProcess> onEnd)
    {
        _exitCode = _process.ExitCode;
        _hasEnded = true;
        try
        {
            onEnd(this);
        }
        finally
        {
            _reported.SetResult();
        }
    }

    private void KillNeedsLock()
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

    private void CloseInput()
    {
        try
        {
            lock (_lock)
            {
                if (!_isReleased)
                    _process.StandardInput.Close();
            }
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
