namespace Cluster.Glue.Tests.Semantics;

public sealed record Tick(int Number, string Name);

/// <summary>A result with a stream inside.</summary>
public sealed class Page
{
    public string? Title { get; set; }

    public IAsyncEnumerable<int>? Lines { get; set; }
}

public interface IStreams
{
    IAsyncEnumerable<int> CountAsync(int count, CancellationToken cancellationToken = default);

    Task<IAsyncEnumerable<Tick>> TicksAsync(int count);

    IAsyncEnumerable<int> FailAsync(int after, string where);

    IAsyncEnumerable<int> IgnoreTokenAsync(int count);

    IAsyncEnumerable<int> ScopedAsync();

    Task<int> SumAsync(IAsyncEnumerable<int> numbers, int take = int.MaxValue);

    Task<string> LengthsAsync(IAsyncEnumerable<string> texts);

    IAsyncEnumerable<int> DoubleAsync(IAsyncEnumerable<int> numbers);

    Task<Page> PageAsync(string title, int lines);

    Task<int> PagesAsync(Page[] pages);

    IAsyncEnumerable<Page> BookAsync(int pages);

    IAsyncEnumerable<byte[]> BlobsAsync(params int[] sizes);

    IAsyncEnumerable<byte[]> EndlessAsync(int size, CancellationToken cancellationToken = default);

    Task<bool> IsNullAsync(IAsyncEnumerable<int>? stream);
}

/// <summary>What lives as long as a call, or as a stream that the call returned.</summary>
internal sealed class StreamScope(Observations seen) : IDisposable
{
    public bool IsDisposed { get; private set; }

    public void Dispose()
    {
        IsDisposed = true;
        seen.Notes.Enqueue("scope closed");
    }
}

internal sealed class StreamService(Observations seen, StreamScope scope) : IStreams
{
    public async IAsyncEnumerable<int> CountAsync(
        int count, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        try
        {
            for (var i = 0; i < count; i++)
            {
                if (i % 100 == 50)
                    await Task.Yield();
                cancellationToken.ThrowIfCancellationRequested();
                seen.Produced = i + 1;
                yield return i;
            }
        }
        finally
        {
            seen.Notes.Enqueue("closed");
        }
    }

    public Task<IAsyncEnumerable<Tick>> TicksAsync(int count) => Task.FromResult(Make(count));

    public async IAsyncEnumerable<int> FailAsync(int after, string where)
    {
        try
        {
            for (var i = 0; i < after; i++)
                yield return i;
            if (where == "yield")
                throw new InvalidOperationException("producer failed");
            await Task.Yield();
            while (where == "dispose" && after > 0)
                yield return -1;
        }
        finally
        {
            FailIf(where == "dispose");
        }
    }

    public async IAsyncEnumerable<int> IgnoreTokenAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return i;
        }

        seen.Notes.Enqueue("ran to its end");
    }

    public async IAsyncEnumerable<int> ScopedAsync()
    {
        yield return 1;
        await Task.Yield();
        yield return scope.IsDisposed ? -1 : 2;
    }

    public async Task<int> SumAsync(IAsyncEnumerable<int> numbers, int take)
    {
        int sum = 0, taken = 0;
        if (take == 0)
            return 0;
        await foreach (var number in numbers)
        {
            sum += number;
            if (++taken == take)
                break;
        }

        return sum;
    }

    public async Task<string> LengthsAsync(IAsyncEnumerable<string> texts) =>
        string.Join(',', await texts.Select(text => text.Length).ToListAsync());

    public async IAsyncEnumerable<int> DoubleAsync(IAsyncEnumerable<int> numbers)
    {
        await foreach (var number in numbers)
            yield return 2 * number;
    }

    public Task<Page> PageAsync(string title, int lines) =>
        Task.FromResult(new Page { Title = title, Lines = CountAsync(lines, default) });

    public async Task<int> PagesAsync(Page[] pages)
    {
        var sum = 0;
        foreach (var page in pages)
            sum += await SumAsync(page.Lines!, int.MaxValue);
        return sum;
    }

    public async IAsyncEnumerable<Page> BookAsync(int pages)
    {
        for (var i = 1; i <= pages; i++)
            yield return await PageAsync($"page {i}", i);
    }

    public async IAsyncEnumerable<byte[]> BlobsAsync(params int[] sizes)
    {
        foreach (var size in sizes)
        {
            await Task.Yield();
            yield return Enumerable.Repeat((byte)size, size).ToArray();
        }
    }

    public async IAsyncEnumerable<byte[]> EndlessAsync(
        int size, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        while (!cancellationToken.IsCancellationRequested)
        {
            seen.Produced++;
            yield return new byte[size];
        }
    }

    public Task<bool> IsNullAsync(IAsyncEnumerable<int>? stream) => Task.FromResult(stream is null);

    private static void FailIf(bool fails)
    {
        if (fails)
            throw new InvalidOperationException("disposal failed");
    }

    private static async IAsyncEnumerable<Tick> Make(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await Task.Yield();
            yield return new Tick(i, $"tick {i}");
        }
    }
}
