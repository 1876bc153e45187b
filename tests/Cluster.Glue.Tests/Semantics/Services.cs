namespace Cluster.Glue.Tests.Semantics;

internal sealed class Shapes : IShapes
{
    public void DoNothing()
    {
    }

    public int Twice(int value) => 2 * value;

    public async Task PauseAsync() => await Task.Yield();

    public async Task<int> TwiceAsync(int value)
    {
        await Task.Yield();
        return 2 * value;
    }

    public ValueTask RestAsync() => default;

    public ValueTask<int> ThriceAsync(int value) => new(3 * value);

    public Task<string?> EchoTextAsync(string? text) => Task.FromResult(text);

    public Task<int?> EchoNullableAsync(int? value) => Task.FromResult(value);

    public Task<string?[]> EchoManyAsync(params string?[] texts) => Task.FromResult(texts);

    public Task<int> WithDefaultAsync(int first, int second = 40, string text = "x") =>
        Task.FromResult(first + second + text.Length);

    public Task<long> SixteenAsync(
        byte a, sbyte b, short c, ushort d, int e, uint f, long g, ulong h,
        float i, double j, decimal k, bool l, char m, string n, Guid o, DateTime p) =>
        Task.FromResult(a + b + c + d + e + f + g + (long)h + (long)i + (long)j + (long)k + (l ? 1 : 0)
            + m + n.Length + o.ToByteArray()[0] + p.Year);

    public Task<string> TokenFirstAsync(CancellationToken cancellationToken, string text) =>
        Task.FromResult(cancellationToken.CanBeCanceled + text);

    public Task<string> TokenInTheMiddleAsync(string left, CancellationToken cancellationToken, string right) =>
        Task.FromResult(left + cancellationToken.CanBeCanceled + right);
}

internal sealed class Overloads : IOverloads
{
    public Task<string> SayAsync() => Task.FromResult("none");

    public Task<string> SayAsync(int value) => Task.FromResult("int " + value.ToString(CultureInfo.InvariantCulture));

    public Task<string> SayAsync(string value) => Task.FromResult("text " + value);

    public Task<string> SayAsync(int value, string text) => Task.FromResult("both " + value + text);

    public Task<string> SayAsync(List<int> values) => Task.FromResult("ints " + values.Count);

    public Task<string> SayAsync(List<string> values) => Task.FromResult("texts " + values.Count);
}

internal sealed class Box<T> : IBox<T>
{
    public Task<T> KeepAsync(T value) => Task.FromResult(value);

    public Task<string> TypeNameAsync() => Task.FromResult(typeof(T).Name);
}

internal sealed class Diamond : IDiamond
{
    public Task<string> BottomAsync() => Task.FromResult("bottom");

    public Task<string> LeftAsync() => Task.FromResult("left");

    public Task<string> RightAsync() => Task.FromResult("right");

    Task<string> ILeft.CommonAsync() => Task.FromResult("common left");

    Task<string> IRight.CommonAsync() => Task.FromResult("common right");
}

internal sealed class Hidden : IHidden
{
    public Task<Secret> WhisperAsync(Secret secret) => Task.FromResult(new Secret { Text = secret.Text + "!" });
}

internal sealed class Graphs : IGraphs
{
    public Task<Node> EchoAsync(Node node) => Task.FromResult(node);

    public Task<bool> AreSameAsync(Node left, Node right) => Task.FromResult(ReferenceEquals(left, right));

    public Task<Node[]> PairAsync(Node node) => Task.FromResult(new[] { node, node });

    public Task<Animal[]> EchoAnimalsAsync(Animal[] animals) => Task.FromResult(animals);

    public Task<byte[]> EchoBytesAsync(byte[] bytes) => Task.FromResult(bytes);

    public Task<byte[]> MakeBytesAsync(int count) => Task.FromResult(new byte[count]);
}

internal sealed class Failures : IFailures
{
    public async Task ThrowListedAsync()
    {
        await Task.Yield();
        throw new ShopException("empty shelf", 7, new InvalidOperationException("nobody ordered"));
    }

    public Task<int> ThrowUnlistedAsync(string message) => throw new UnlistedException(message);

    public void ThrowBuiltIn(string parameter) => throw new ArgumentOutOfRangeException(parameter, "too far");

    public Task ThrowBeforeTaskAsync() => throw new InvalidOperationException("before the task");

    public Task ThrowCancelledAsync() => throw new OperationCanceledException("by the server itself");

    public Task<object> ReturnUnwritableAsync() => Task.FromResult<object>(new Unwritable { Callback = () => { } });

    public Task TakeAnythingAsync(object? value) => Task.CompletedTask;
}

/// <summary>What timing services saw; a singleton of the test's server.</summary>
internal sealed class Observations
{
    private int _cancellations;

    public ConcurrentQueue<string> Notes { get; } = new();

    public int Cancellations => Volatile.Read(ref _cancellations);

    public SemaphoreSlim CancellationSeen { get; } = new(0);

    public SemaphoreSlim Started { get; } = new(0);

    /// <summary>The end of methods that wait forever: the end of the test.</summary>
    public TaskCompletionSource End { get; } = new();

    /// <summary>Items that a producer has made.</summary>
    public int Produced { get; set; }

    public void CountCancellation()
    {
        Interlocked.Increment(ref _cancellations);
        CancellationSeen.Release();
    }
}

internal sealed class Timing(Observations seen, Downstream downstream) : ITiming
{
    public async Task<bool> WaitForCancellationAsync(CancellationToken cancellationToken)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var registration = cancellationToken.Register(() => cancelled.TrySetResult());
        seen.Started.Release();
        await cancelled.Task;
        seen.CountCancellation();
        cancellationToken.ThrowIfCancellationRequested();
        return true;
    }

    public Task<bool> HasSynchronizationContextAsync() => Task.FromResult(SynchronizationContext.Current is not null);

    public Task WaitForeverAsync()
    {
        seen.Started.Release();
        return seen.End.Task;
    }

    public Task<TimeSpan> RemainingAsync() => Task.FromResult(GlueCall.Current!.Remaining);

    public Task<TimeSpan> RemainingDownstreamAsync()
    {
        downstream.Before?.Invoke();
        return downstream.Proxy!.RemainingAsync();
    }

    public Task<int> CancellationsAsync() => Task.FromResult(seen.Cancellations);

    public Task NoteAsync(string text)
    {
        seen.Notes.Enqueue(text);
        return Task.CompletedTask;
    }

    public void NoteNow(string text) => seen.Notes.Enqueue(text);

    public Task FailSilentlyAsync() => throw new InvalidOperationException("nobody hears this");

    public Task<string[]> NotesAsync() => Task.FromResult(seen.Notes.ToArray());
}

/// <summary>Lets a service call a second service; set by the test.</summary>
internal sealed class Downstream
{
    public ITiming? Proxy { get; set; }

    /// <summary>What happens before the second service is called.</summary>
    public Action? Before { get; set; }
}

internal sealed class Counter : ICounter, ISharedCounter, IDisposable
{
    public static int Disposals;

    private int _count;

    public Task<int> NextAsync() => Task.FromResult(Interlocked.Increment(ref _count));

    public void Dispose() => Interlocked.Increment(ref Disposals);
}

internal sealed class SharedCounter : ISharedCounter
{
    private int _count;

    public Task<int> NextAsync() => Task.FromResult(Interlocked.Increment(ref _count));
}
