namespace Cluster.SystemTests.Interop;

/// <summary>Implements <see cref="IInterop"/>: a singleton whose counters change atomically.</summary>
internal sealed class InteropService : IInterop
{
    private int _notes;
    private int _next;

    public Task<int> DoubleAsync(int value) => Task.FromResult(2 * value);

    public Task<byte[]> EchoAsync(byte[] bytes) => Task.FromResult(bytes);

    public Task<int> FailAsync(string message) => throw new InvalidOperationException(message);

    public Task<int> NextAsync() => Task.FromResult(Interlocked.Increment(ref _next));

    public Task NoteAsync(int value)
    {
        Interlocked.Increment(ref _notes);
        return Task.CompletedTask;
    }

    public Task<int> NotesAsync() => Task.FromResult(Volatile.Read(ref _notes));

    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _notes);
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        }
        finally
        {
            Interlocked.Increment(ref _notes);
        }
    }

    public Task MissingAsync() => Task.CompletedTask;
}
