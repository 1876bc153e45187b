namespace Cluster.Glue.Tests.Observation;

/// <summary>A service that tells the activity in which it runs.</summary>
public interface ITraced
{
    Task<string?> SpanAsync();

    ValueTask<string?> YieldAsync();

    string? Span();

    /// <summary>The activities of this service and of those behind it.</summary>
    Task<string[]> PassAsync();

    Task FailAsync();

    Task WaitAsync(CancellationToken cancellationToken);

    [OneWay]
    Task NoteAsync();

    IAsyncEnumerable<string> ItemsAsync(int count);

    Task<string?> CallBackAsync(ITracedListener listener);
}

/// <summary>Called back.</summary>
public interface ITracedListener
{
    Task<string?> OnAsync();
}

/// <summary>What the service needs of its test.</summary>
internal sealed class TracedTarget
{
    /// <summary>The service behind; null: none.</summary>
    public ITraced? Next { get; set; }

    /// <summary>Completed by the one-way call.</summary>
    public TaskCompletionSource<string?> Noted { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

internal sealed class Traced(TracedTarget target) : ITraced
{
    public Task<string?> SpanAsync() => Task.FromResult(Activity.Current?.Id);

    public async ValueTask<string?> YieldAsync()
    {
        await Task.Yield();
        return Activity.Current?.Id;
    }

    public string? Span() => Activity.Current?.Id;

    public async Task<string[]> PassAsync()
    {
        var behind = target.Next is null ? [] : await target.Next.PassAsync();
        return [Activity.Current!.Id!, .. behind];
    }

    public async Task FailAsync()
    {
        await Task.Yield();
        throw new InvalidOperationException("as asked");
    }

    public Task WaitAsync(CancellationToken cancellationToken) =>
        Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);

    public Task NoteAsync()
    {
        target.Noted.TrySetResult(Activity.Current?.Id);
        return Task.CompletedTask;
    }

    public async IAsyncEnumerable<string> ItemsAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return Activity.Current?.ParentId ?? "";
        }
    }

    public Task<string?> CallBackAsync(ITracedListener listener) => listener.OnAsync();
}

internal sealed class TracedListener : ITracedListener
{
    public Task<string?> OnAsync() => Task.FromResult(Activity.Current?.Id);
}
