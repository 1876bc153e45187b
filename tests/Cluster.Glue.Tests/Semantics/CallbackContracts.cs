namespace Cluster.Glue.Tests.Semantics;

/// <summary>Called back.</summary>
public interface IListener
{
    Task<int> OnAsync(int number);

    Task FailAsync(string message);

    IAsyncEnumerable<int> EchoAsync(IAsyncEnumerable<int> numbers);
}

/// <summary>An interface of data, because it is allowed by name.</summary>
public interface INamed
{
    Task<string> NameAsync();
}

public sealed class Named : INamed
{
    public string? Text { get; set; }

    public Task<string> NameAsync() => Task.FromResult(Text!);
}

public sealed class Registration
{
    public IListener? Listener { get; set; }

    public IListener? Again { get; set; }
}

public interface IHub
{
    Task<int> CallAsync(IListener listener, int number);

    Task KeepAsync(IListener listener);

    Task<int> CallKeptAsync(int number);

    Task<GlueErrorCode> FailureOfKeptAsync();

    Task<IListener?> KeptAsync();

    Task<bool> IsSameAsync(Registration registration);

    Task<bool> IsKeptAsync(IListener listener);

    Task FailAsync(IListener listener, string message);

    Task<int> RecurseAsync(IListener listener, int depth);

    Task<int> EchoAsync(IListener listener, int count);

    Task<IListener> OwnAsync();

    Task ForgetAsync();

    Task ReleaseAsync(IListener listener);

    Task<string> NameAsync(INamed named);
}

internal sealed class Hub(Observations seen) : IHub
{
    private readonly Own _own = new(seen);
    private IListener? _kept;

    public async Task<int> CallAsync(IListener listener, int number) => await listener.OnAsync(number) + 1;

    public Task KeepAsync(IListener listener)
    {
        _kept = listener;
        return Task.CompletedTask;
    }

    public Task<int> CallKeptAsync(int number) => _kept!.OnAsync(number);

    public async Task<GlueErrorCode> FailureOfKeptAsync() =>
        (await Assert.ThrowsAsync<GlueException>(() => _kept!.OnAsync(1))).Code;

    public Task<IListener?> KeptAsync() => Task.FromResult(_kept);

    public Task<bool> IsSameAsync(Registration registration) =>
        Task.FromResult(ReferenceEquals(registration.Listener, registration.Again));

    public Task<bool> IsKeptAsync(IListener listener) => Task.FromResult(ReferenceEquals(listener, _kept));

    public Task FailAsync(IListener listener, string message) => listener.FailAsync(message);

    public Task<int> RecurseAsync(IListener listener, int depth) => listener.OnAsync(depth);

    public async Task<int> EchoAsync(IListener listener, int count) =>
        await listener.EchoAsync(CountAsync(count)).SumAsync();

    public Task<IListener> OwnAsync() => Task.FromResult<IListener>(_own);

    public Task ForgetAsync()
    {
        _kept = null;
        return Task.CompletedTask;
    }

    public Task ReleaseAsync(IListener listener)
    {
        GlueReference.Release(listener);
        return Task.CompletedTask;
    }

    public Task<string> NameAsync(INamed named) => named.NameAsync();

    private static async IAsyncEnumerable<int> CountAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return i;
        }
    }

    private sealed class Own(Observations seen) : IListener
    {
        public Task<int> OnAsync(int number)
        {
            seen.Notes.Enqueue($"own {number}");
            return Task.FromResult(-number);
        }

        public Task FailAsync(string message) => throw new InvalidOperationException(message);

        public IAsyncEnumerable<int> EchoAsync(IAsyncEnumerable<int> numbers) => numbers;
    }
}

/// <summary>A listener of a test.</summary>
internal sealed class Listener : IListener
{
    public ConcurrentQueue<int> Numbers { get; } = new();

    public Func<int, Task<int>> Answer { get; set; } = static number => Task.FromResult(2 * number);

    public Task<int> OnAsync(int number)
    {
        Numbers.Enqueue(number);
        return Answer(number);
    }

    public Task FailAsync(string message) => throw new InvalidOperationException(message);

    public IAsyncEnumerable<int> EchoAsync(IAsyncEnumerable<int> numbers) => numbers;
}
