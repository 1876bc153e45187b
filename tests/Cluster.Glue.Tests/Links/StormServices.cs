using Cluster.Contracts;

namespace Cluster.Glue.Tests.Links;

/// <summary>What storms of calls are made of.</summary>
public interface IStorm
{
    /// <summary>Holds up the thread that reads the calls, until the test lets it go.</summary>
    [RunInline]
    Task BlockAsync();

    Task<bool> WaitAsync(byte[] load, CancellationToken token);

    Task<TimeSpan> RemainingAsync(byte[] load);

    Task<byte[]> EchoAsync(byte[] load, int answerBytes, CancellationToken token);
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

    public async Task<bool> WaitAsync(byte[] load, CancellationToken token)
    {
        Interlocked.Increment(ref _started);
        Interlocked.Increment(ref _running);
        try
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, token);
            return true;
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    public Task<TimeSpan> RemainingAsync(byte[] load) => Task.FromResult(GlueCall.Current!.Remaining);

    public async Task<byte[]> EchoAsync(byte[] load, int answerBytes, CancellationToken token)
    {
        await Task.Yield();
        byte[] answer = new byte[answerBytes];
        if (answerBytes > 0 && load.Length > 0)
            answer[^1] = load[^1];
        return answer;
    }

    public void Dispose() => Passage.Dispose();
}
