using Cluster.Nodes.Storage.Writing;
using Cluster.Testing;

namespace Cluster.Nodes.Storage.Tests.Writing;

/// <summary>The queue of keys that have to be stored, by a clock that the test moves.</summary>
public sealed class WriteQueueTests : IDisposable
{
    private static readonly CancellationToken None = CancellationToken.None;
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _time = new();
    private readonly WriteQueue _queue;
    private readonly ConcurrentQueue<WaitingKey> _taken = new();
    private readonly CancellationTokenSource _ended = new();

    public WriteQueueTests()
    {
        _queue = new WriteQueue(maxKeys: 3, _time);
        _ = TakeAsync();
    }

    public void Dispose()
    {
        _ended.Cancel();
        _queue.Dispose();
        _ended.Dispose();
    }

    [Fact]
    public async Task Key_AddedManyTimes_IsTakenOnceWhenItIsDue()
    {
        Assert.True(await _queue.AddAsync([1], Second, waiter: null, None));
        for (var write = 0; write < 10; write++)
            Assert.False(await _queue.AddAsync([1], Second, waiter: null, None));
        _time.Advance(Second / 2);
        Assert.Empty(_taken);
        _time.Advance(Second);
        await Eventually.TrueAsync(() => _taken.Count == 1, Second * 30);
        End();
        Assert.Equal(0, _queue.Count);
    }

    [Fact]
    public async Task Key_AddedWithAWaiter_IsTakenAtOnce()
    {
        await _queue.AddAsync([1], Second, waiter: null, None);
        var waiter = new KeyWaiter(new FlushRequest { Revision = 7 });
        await _queue.AddAsync([1], TimeSpan.Zero, waiter, None);
        await Eventually.TrueAsync(() => _taken.Count == 1, Second * 30);
        Assert.Same(waiter, Assert.Single(_queue.Begin(_taken.First())));
    }

    [Fact]
    public async Task Key_AddedWhileItIsStored_IsTakenAgain()
    {
        await _queue.AddAsync([1], TimeSpan.Zero, waiter: null, None);
        await Eventually.TrueAsync(() => _taken.Count == 1, Second * 30);
        Assert.True(_taken.TryDequeue(out var key));
        _queue.Begin(key);
        Assert.True(await _queue.AddAsync([1], Second, waiter: null, None));
        Assert.False(await _queue.AddAsync([1], Second, waiter: null, None));
        _queue.End(key, Second);
        Assert.Equal(1, _queue.Count);
        Assert.Empty(_taken);
        _time.Advance(Second);
        await Eventually.TrueAsync(() => _taken.Count == 1, Second * 30);
        End();
        Assert.Equal(0, _queue.Count);
    }

    [Fact]
    public async Task Key_ThatFails_IsTakenAgainAfterAPauseThatGrows()
    {
        await _queue.AddAsync([1], TimeSpan.Zero, waiter: null, None);
        var pauses = new List<TimeSpan>();
        for (var failure = 0; failure < 6; failure++)
        {
            await Eventually.TrueAsync(() => !_taken.IsEmpty, Second * 30);
            Assert.True(_taken.TryDequeue(out var key));
            _queue.Begin(key);
            var before = _time.GetTimestamp();
            _queue.Retry(key);
            pauses.Add(_time.GetElapsedTime(before, key.DueAt));
            _time.Advance(pauses[^1] + TimeSpan.FromMilliseconds(2));
        }

        Assert.All(pauses, pause => Assert.InRange(pause, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(15)));
        Assert.True(pauses[5] > pauses[0] * 4, string.Join(", ", pauses));
    }

    [Fact]
    public async Task Key_WithoutRoom_WaitsUntilAnotherHasLeft()
    {
        for (byte key = 0; key < 3; key++)
            await _queue.AddAsync([key], Second, waiter: null, None);
        var fourth = _queue.AddAsync([9], Second, waiter: null, None).AsTask();
        Assert.False(await _queue.AddAsync([1], Second, waiter: null, None));
        Assert.False(fourth.IsCompleted);
        _time.Advance(Second);
        await Eventually.TrueAsync(() => _taken.Count == 3, Second * 30);
        End();
        Assert.True(await fourth);
    }

    [Fact]
    public async Task Empty_MakesAllKeysDue_AndEndsWhenTheyAreStored()
    {
        await _queue.AddAsync([1], Second * 600, waiter: null, None);
        await _queue.AddAsync([2], Second * 600, waiter: null, None);
        var empty = _queue.EmptyAsync(None);
        await Eventually.TrueAsync(() => _taken.Count == 2, Second * 30);
        End();
        await _queue.AddAsync([3], Second * 600, waiter: null, None);
        await Eventually.TrueAsync(() => _taken.Count == 2, Second * 30);
        End();
        Assert.False(empty.IsCompleted);
        End();
        await empty;
        await _queue.EmptyAsync(None);
    }

    [Fact]
    public async Task Key_FoundByAScan_IsThatOfAWriterOnceAWriterTellsIt()
    {
        await _queue.AddFoundAsync([1], None);
        await Eventually.TrueAsync(() => _taken.Count == 1, Second * 30);
        Assert.True(_taken.First().IsFromScan);
        await _queue.AddAsync([1], Second, waiter: null, None);
        Assert.False(_taken.First().IsFromScan);
        await _queue.AddFoundAsync([1], None);
        Assert.False(_taken.First().IsFromScan);
        await _queue.AddAsync([2], Second, waiter: null, None);
        await _queue.AddFoundAsync([2], None);
        Assert.Single(_taken);
    }

    private void End()
    {
        Assert.True(_taken.TryDequeue(out var key));
        _queue.Begin(key);
        _queue.End(key, TimeSpan.Zero);
    }

    private async Task TakeAsync()
    {
        try
        {
            await foreach (var key in _queue.TakeAsync(_ended.Token))
                _taken.Enqueue(key);
        }
        catch (OperationCanceledException)
        {
            // The test has ended.
        }
    }
}
