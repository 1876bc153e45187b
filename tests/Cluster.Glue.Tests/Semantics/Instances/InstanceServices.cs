namespace Cluster.Glue.Tests.Semantics.Instances;

public interface ITill
{
    [Constructor]
    Task<GlueInstance> OpenAsync(string owner);
    Task<int> AddAsync(int amount);
    Task<string> OwnerAsync();
    [OneWay]
    Task PutAsync(int amount);
    [Destructor]
    Task<int> CloseAsync(bool fails);
    Task<int> HoldAsync(int amount);
}

/// <summary>The same, declared thread-safe.</summary>
public interface ISafeTill
{
    [Constructor]
    ValueTask<GlueInstance> OpenAsync();
    Task<int> HoldAsync(int amount);
}

public interface IPocket
{
    Task<int> AddAsync(int amount);
    [Destructor]
    Task EmptyAsync();
}

public interface IAuditor
{
    Task<string> AuditAsync(GlueInstance till);
}

/// <summary>What the services of the test's server saw and wait for.</summary>
internal sealed class TillWatch
{
    private int _made;
    private int _disposed;
    private int _inside;

    public int Made => Volatile.Read(ref _made);

    public int Disposed => Volatile.Read(ref _disposed);

    public SemaphoreSlim Entered { get; } = new(0);

    public SemaphoreSlim Release { get; } = new(0);

    public int InsideMax { get; private set; }

    public ConcurrentQueue<int> Order { get; } = new();

    public ITill? Tills { get; set; }

    public void NoteMade() => Interlocked.Increment(ref _made);

    public void NoteDisposed() => Interlocked.Increment(ref _disposed);

    public async Task HoldAsync()
    {
        var inside = Interlocked.Increment(ref _inside);
        lock (Entered)
            InsideMax = Math.Max(InsideMax, inside);
        Entered.Release();
        await Release.WaitAsync();
        Interlocked.Decrement(ref _inside);
    }
}

internal sealed class Till : ITill, IDisposable
{
    private readonly TillWatch _watch;
    private string _owner = "";
    private int _sum;

    public Till(TillWatch watch)
    {
        _watch = watch;
        watch.NoteMade();
    }

    public Task<GlueInstance> OpenAsync(string owner)
    {
        _owner = owner.Length > 0 ? owner : throw new ArgumentException("nobody", nameof(owner));
        return Task.FromResult(default(GlueInstance));
    }

    public Task<int> AddAsync(int amount)
    {
        _watch.Order.Enqueue(amount);
        return Task.FromResult(_sum += amount);
    }

    public Task<string> OwnerAsync() => Task.FromResult(_owner);

    public async Task PutAsync(int amount)
    {
        await Task.Yield();
        await AddAsync(amount);
    }

    public Task<int> CloseAsync(bool fails) =>
        fails ? throw new InvalidOperationException("not empty") : Task.FromResult(_sum);

    public async Task<int> HoldAsync(int amount)
    {
        await _watch.HoldAsync();
        return await AddAsync(amount);
    }

    public void Dispose() => _watch.NoteDisposed();
}

[ThreadSafe]
internal sealed class SafeTill(TillWatch watch) : ISafeTill
{
    private int _sum;

    public ValueTask<GlueInstance> OpenAsync() => default;

    public async Task<int> HoldAsync(int amount)
    {
        await watch.HoldAsync();
        return Interlocked.Add(ref _sum, amount);
    }
}

internal sealed class Pocket : IPocket
{
    private int _sum;

    public Pocket(TillWatch watch) => watch.NoteMade();

    public Task<int> AddAsync(int amount) => Task.FromResult(_sum += amount);

    public Task EmptyAsync() => Task.CompletedTask;
}

internal sealed class Auditor(TillWatch watch) : IAuditor
{
    public async Task<string> AuditAsync(GlueInstance till) =>
        $"{await watch.Tills!.At(till).OwnerAsync()} {await watch.Tills!.At(till).AddAsync(0)}";
}
