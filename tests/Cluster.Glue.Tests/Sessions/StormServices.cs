namespace Cluster.Glue.Tests.Sessions;

/// <summary>What storms of calls are made of.</summary>
public interface IStorm
{
    /// <summary>Holds up the thread that reads the calls, until the test lets it go.</summary>
    [RunInline]
    Task BlockAsync();

    Task<bool> WaitAsync(byte[] load, CancellationToken cancellationToken);

    Task<TimeSpan> RemainingAsync(byte[] load);

    Task<byte[]> EchoAsync(byte[] load, int answerBytes, CancellationToken cancellationToken);

    /// <summary>Reads when the test lets it, and ignores that nobody waits any more.</summary>
    Task<int> CountAsync(IAsyncEnumerable<int> items, bool waits);

    int Twice(int value);

    /// <summary>Ends when the test lets it go.</summary>
    void WaitHere();
}

/// <summary>Counts what runs. Atomic.</summary>
internal sealed class Storm : IStorm, IDisposable
{
    private int _running;
    private int _started;

    public int Running => Volatile.Read(ref _running);

    public int Started => Volatile.Read(ref _started);

    public ManualResetEventSlim Passage { get; } = new(initialState: false);

    public Task BlockAsync()
    {
        Passage.Wait();
        return Task.CompletedTask;
    }

    public async Task<bool> WaitAsync(byte[] load, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _started);
        Interlocked.Increment(ref _running);
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            return true;
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    public Task<TimeSpan> RemainingAsync(byte[] load) => Task.FromResult(GlueCall.Current!.Remaining);

    public async Task<byte[]> EchoAsync(byte[] load, int answerBytes, CancellationToken cancellationToken)
    {
        await Task.Yield();
        var answer = new byte[answerBytes];
        if (answerBytes > 0 && load.Length > 0)
            answer[^1] = load[^1];
        return answer;
    }

    /// <summary>How the reading of a stream ended; null: as streams do.</summary>
    public TaskCompletionSource<Exception?> Reading { get; } = new();

    public SemaphoreSlim Begun { get; } = new(0);

    public TaskCompletionSource MayRead { get; } = new();

    public async Task<int> CountAsync(IAsyncEnumerable<int> items, bool waits)
    {
        var count = 0;
        try
        {
            Begun.Release();
            if (waits)
                await MayRead.Task;
            await foreach (var item in items)
            {
                count++;
                Begun.Release();
            }

            Reading.SetResult(null);
        }
        catch (Exception end)
        {
            Reading.SetResult(end);
        }

        return count;
    }

    public int Twice(int value) => 2 * value;

    public void WaitHere()
    {
        Interlocked.Increment(ref _running);
        Passage.Wait(TimeSpan.FromMinutes(1), GlueCall.Current!.CancellationToken);
        Interlocked.Decrement(ref _running);
    }

    public void Dispose()
    {
        Passage.Dispose();
        Begun.Dispose();
    }
}
