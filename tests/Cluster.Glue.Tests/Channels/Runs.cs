namespace Cluster.Glue.Tests.Channels;

/// <summary>Counts how often its methods have run.</summary>
public interface IRuns
{
    Task<int> AddAsync();

    [Idempotent]
    Task<int> ReadAsync();

    Task WaitAsync(CancellationToken cancellationToken);
}

internal sealed class Runs : IRuns
{
    private int _addCount;
    private int _readCount;

    public int AddCount => Volatile.Read(ref _addCount);

    public int ReadCount => Volatile.Read(ref _readCount);

    /// <summary>Released by each run.</summary>
    public SemaphoreSlim Began { get; } = new(0);

    public Task<int> AddAsync()
    {
        Interlocked.Increment(ref _addCount);
        Began.Release();
        return Task.FromResult(AddCount);
    }

    public Task<int> ReadAsync()
    {
        Interlocked.Increment(ref _readCount);
        Began.Release();
        return Task.FromResult(ReadCount);
    }

    public Task WaitAsync(CancellationToken cancellationToken) =>
        Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
}
