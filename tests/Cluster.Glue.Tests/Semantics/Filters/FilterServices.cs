namespace Cluster.Glue.Tests.Semantics.Filters;

/// <summary>What filters and services did, in order.</summary>
internal sealed class FilterTrace
{
    private readonly ConcurrentQueue<string> _lines = new();

    public string[] Lines => [.. _lines];

    public void Add(string line) => _lines.Enqueue(line);
}

/// <summary>An exception that callers do not know.</summary>
internal sealed class UnlistedException : Exception;

/// <summary>One of each scope.</summary>
internal sealed class ScopeMark
{
    public Guid Id { get; } = Guid.NewGuid();
}

internal sealed class Filtered(FilterTrace trace, ScopeMark mark) : IFiltered
{
    public void Touch(string text) => trace.Add($"service {text}");

    public int Add(int left, int right)
    {
        trace.Add($"service {left} {right}");
        return left + right;
    }

    public async Task PutAsync(string text)
    {
        await Task.Yield();
        trace.Add($"service {text}");
    }

    public Task<int> AddAsync(int left, int right, CancellationToken cancellationToken) =>
        Task.FromResult(Add(left, right));

    public ValueTask PutQuicklyAsync(string text)
    {
        trace.Add($"service {text}");
        return ValueTask.CompletedTask;
    }

    public async ValueTask<string?> EchoAsync(string? text)
    {
        await Task.Yield();
        trace.Add($"service {text}");
        return text;
    }

    public Task TellAsync(string text) => PutAsync(text);

    public void Mention(string text) => trace.Add($"service {text}");

    public Task<T> SameAsync<T>(T value)
    {
        trace.Add($"service {value}");
        return Task.FromResult(value);
    }

    public Task<string?> HeaderAsync(string name)
    {
        GlueCall.Current!.ReplyHeaders.Set("service", "answered");
        return Task.FromResult(GlueCall.Current.Headers.FindText(name));
    }

    public async Task FailAsync(string text)
    {
        await Task.Yield();
        throw new InvalidOperationException(text);
    }

    public Task<Guid> ScopeAsync() => Task.FromResult(mark.Id);

    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        trace.Add("service waits");
        await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
    }

    public IAsyncEnumerable<int> CountAsync(int last) => Enumerable.Range(1, last).ToAsyncEnumerable();

    public async Task<int> SumAsync(IAsyncEnumerable<int> numbers) => await numbers.SumAsync();
}

internal sealed class FilteredSession : IFilteredSession
{
    private int _sum;

    public Task<GlueInstance> OpenAsync(int start)
    {
        _sum = start;
        return Task.FromResult<GlueInstance>(default);
    }

    public Task<int> AddAsync(int number) => Task.FromResult(_sum += number);

    public Task CloseAsync() => Task.CompletedTask;
}
