namespace Cluster.SystemTests.Proxies;

/// <summary>The service behind the proxies: a singleton whose counters change atomically.</summary>
internal sealed class ProxiedService : IProxied
{
    private int _next;
    private int _holdCount;
    private int _endedHoldCount;
    private int _readCount;

    /// <summary>How many calls of <see cref="HoldAsync"/> have begun.</summary>
    public int HoldCount => Volatile.Read(ref _holdCount);

    /// <summary>How many of these calls were cancelled.</summary>
    public int EndedHoldCount => Volatile.Read(ref _endedHoldCount);

    /// <summary>Lets <see cref="QuietAsync"/> send its second number.</summary>
    public TaskCompletionSource Quiet { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<int> DoubleAsync(int value) => Task.FromResult(2 * value);

    public Task<int> NextAsync() => Task.FromResult(Interlocked.Increment(ref _next));

    public Task<Station> EchoAsync(Station first) => Task.FromResult(first);

    public async IAsyncEnumerable<int> CountAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            yield return i;
            if (i % 100 == 0)
                await Task.Yield();
        }
    }

    public async Task<long> SumAsync(IAsyncEnumerable<int> numbers)
    {
        long sum = 0;
        await foreach (var number in numbers)
            sum += number;
        return sum;
    }

    public async IAsyncEnumerable<int> QuietAsync()
    {
        yield return 1;
        await Quiet.Task;
        yield return 2;
    }

    public async Task HoldAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _holdCount);
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        }
        finally
        {
            Interlocked.Increment(ref _endedHoldCount);
        }
    }

    public async Task<int> ReadAsync(CancellationToken cancellationToken)
    {
        var count = Interlocked.Increment(ref _readCount);
        if (count == 1)
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        return count;
    }
}
