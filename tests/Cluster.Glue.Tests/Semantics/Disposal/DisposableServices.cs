namespace Cluster.Glue.Tests.Semantics.Disposal;

public interface IDesk : IDisposable, IAsyncDisposable
{
    Task<int> NextAsync();

    Task KeepAsync(IBell bell);

    Task<int> RingAsync();

    /// <summary>The desk disposes the bell.</summary>
    Task DropAsync();
}

/// <summary>A callback: that it can be disposed is no call.</summary>
public interface IBell : IDisposable
{
    Task<int> RingAsync();
}

internal sealed class Bell : IBell
{
    private int _rings;

    public int Disposals { get; private set; }

    public Task<int> RingAsync() => Task.FromResult(++_rings);

    public void Dispose() => Disposals++;
}

internal sealed class Desk : IDesk
{
    private int _number;
    private IBell? _bell;

    public int Disposals { get; private set; }

    public Task<int> NextAsync() => Task.FromResult(Interlocked.Increment(ref _number));

    public Task KeepAsync(IBell bell)
    {
        _bell = bell;
        return Task.CompletedTask;
    }

    public Task<int> RingAsync() => _bell!.RingAsync();

    public Task DropAsync()
    {
        _bell!.Dispose();
        return Task.CompletedTask;
    }

    public void Dispose() => Disposals++;

    public ValueTask DisposeAsync()
    {
        Dispose();
        return ValueTask.CompletedTask;
    }
}
