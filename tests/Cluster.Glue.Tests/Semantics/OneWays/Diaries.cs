namespace Cluster.Glue.Tests.Semantics.OneWays;

public interface IDiary
{
    /// <summary>Writes when the test lets it, if it is not cancelled by then.</summary>
    [OneWay] Task WriteAsync(string text);

    /// <summary>Holds its thread until the test ends.</summary>
    [OneWay] void Block();

    Task<string[]> ReadAsync();
}

public interface ISharedDiary : IDiary;

/// <summary>What the diaries of one server share with its test.</summary>
internal sealed class DiaryPages
{
    private readonly List<string> _lines = [];

    /// <summary>Released once for each page that begins.</summary>
    public SemaphoreSlim Begun { get; } = new(0);

    /// <summary>No page is written before.</summary>
    public TaskCompletionSource Open { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public ManualResetEventSlim End { get; } = new();

    public string[] Lines
    {
        get
        {
            lock (_lines)
                return [.. _lines];
        }
    }

    public void Add(string line)
    {
        lock (_lines)
            _lines.Add(line);
    }
}

internal sealed class Diary(DiaryPages pages) : ISharedDiary
{
    public async Task WriteAsync(string text)
    {
        var cancelled = GlueCall.Current!.CancellationToken;
        pages.Begun.Release();
        await pages.Open.Task;
        // Whatever comes in between has its chance.
        await Task.Yield();
        cancelled.ThrowIfCancellationRequested();
        pages.Add(text);
    }

    public void Block()
    {
        pages.Begun.Release();
        pages.End.Wait();
    }

    public Task<string[]> ReadAsync() => Task.FromResult(pages.Lines);
}
