namespace Cluster.Nodes.Storage.Files;

/// <summary>Lets one writer at a time into a folder: a semaphore within this process, and a file that is opened
/// exclusively between processes. The operating system closes the file of a process that dies.</summary>
/// <param name="folder">The folder.</param>
/// <param name="time">The clock.</param>
internal sealed class FolderTurns(string folder, TimeProvider time) : IDisposable
{
    private const string LockName = "lock";

    // What an open reports while another process has the file: EWOULDBLOCK, or a sharing violation on Windows.
    private const int LinuxWouldBlock = 11;
    private const int MacWouldBlock = 35;
    private const int WindowsSharingViolation = unchecked((int)0x80070020);

    private static readonly TimeSpan PauseMin = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan PauseMax = TimeSpan.FromMilliseconds(20);

    private readonly SemaphoreSlim _own = new(1);

    /// <summary>Waits for the turn. Disposing the result ends the turn.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<IDisposable> TakeAsync(CancellationToken cancellationToken)
    {
        await _own.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return new Turn(_own, await OpenAsync(cancellationToken).ConfigureAwait(false));
        }
        catch
        {
            _own.Release();
            throw;
        }
    }

    /// <summary>Opens the file of a folder exclusively. Null: another holder has it.</summary>
    public static FileStream? TryOpen(string folder)
    {
        try
        {
            var path = Path.Combine(folder, LockName);
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException failure) when (IsHeldElsewhere(failure))
        {
            return null;
        }
    }

    public void Dispose() => _own.Dispose();

    // A disk that is full or read-only fails in the same way at each attempt.
    private static bool IsHeldElsewhere(IOException failure) =>
        failure.HResult is LinuxWouldBlock or MacWouldBlock or WindowsSharingViolation;

    private async Task<FileStream> OpenAsync(CancellationToken cancellationToken)
    {
        var pause = PauseMin;
        while (true)
        {
            if (TryOpen(folder) is { } opened)
                return opened;
            await Task.Delay(pause, time, cancellationToken).ConfigureAwait(false);
            pause = pause * 2 < PauseMax ? pause * 2 : PauseMax;
        }
    }

    /// <summary>One turn of one writer.</summary>
    private sealed class Turn(SemaphoreSlim own, FileStream file) : IDisposable
    {
        public void Dispose()
        {
            file.Dispose();
            own.Release();
        }
    }
}
