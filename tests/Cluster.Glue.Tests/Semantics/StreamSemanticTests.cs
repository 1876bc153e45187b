using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>Streams as results, as arguments, both, and inside objects, over every binding.</summary>
public abstract class StreamSemanticTests(SemanticBinding binding) : SemanticTests(binding)
{
    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    [Trait("Case", "glue-42")]
    public async Task ResultStream_ReadWhole_HasAllItemsInOrder(int count)
    {
        Assert.Equal(Enumerable.Range(0, count), await Proxy<IStreams>().CountAsync(count).ToListAsync());
        await ProducerIsClosedAsync();
    }

    [Fact]
    [Trait("Case", "glue-42")]
    public async Task ResultStream_ThatNobodyReads_IsNotMade()
    {
        var streams = Proxy<IStreams>();
        _ = streams.CountAsync(10);
        Assert.Equal(3, await streams.SumAsync(Numbers(3)));
        Assert.Equal(0, Seen.Produced);
    }

    [Fact]
    [Trait("Case", "glue-42")]
    public async Task StreamInTask_HasAllItems()
    {
        var ticks = await (await Proxy<IStreams>().TicksAsync(300)).ToListAsync();
        Assert.Equal(Enumerable.Range(0, 300).Select(i => new Tick(i, $"tick {i}")), ticks);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3000)]
    [Trait("Case", "glue-42")]
    public async Task ArgumentStream_IsReadByTheService(int count) =>
        Assert.Equal(Enumerable.Range(0, count).Sum(), await Proxy<IStreams>().SumAsync(Numbers(count)));

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [Trait("Case", "glue-42")]
    public async Task ArgumentStream_OfWhichTheServiceTakesLess_IsClosed(int take)
    {
        var closed = new TaskCompletionSource();
        await Proxy<IStreams>().SumAsync(Numbers(int.MaxValue, closed), take);
        if (take > 0)
            await closed.Task.WaitAsync(Bound);
    }

    [Fact]
    [Trait("Case", "glue-42")]
    public async Task BothWays_ItemsCrossOneByOne()
    {
        var turn = new SemaphoreSlim(1);
        var seen = new List<int>();
        await foreach (var doubled in Proxy<IStreams>().DoubleAsync(InTurnAsync(turn)))
        {
            seen.Add(doubled);
            turn.Release();
        }

        Assert.Equal(Enumerable.Range(0, 20).Select(i => 2 * i), seen);
    }

    [Fact]
    [Trait("Case", "glue-44")]
    public async Task EarlyBreak_DisposesTheProducer()
    {
        await foreach (var number in Proxy<IStreams>().CountAsync(int.MaxValue))
        {
            if (number == 10)
                break;
        }

        await ProducerIsClosedAsync();
    }

    [Fact]
    [Trait("Case", "glue-42")]
    public async Task ProducerThatIgnoresItsToken_DoesNotHoldUpItsReader()
    {
        await foreach (var number in Proxy<IStreams>().IgnoreTokenAsync(100_000))
        {
            if (number == 3)
                break;
        }

        Assert.Equal(1, await Proxy<IStreams>().SumAsync(Numbers(2)));
    }

    [Fact]
    public async Task EnumerationToken_EndsReadingWithItself_AndStopsTheProducer()
    {
        using var stop = new CancellationTokenSource();
        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var number in Proxy<IStreams>().CountAsync(int.MaxValue).WithCancellation(stop.Token))
            {
                if (number == 5)
                    await stop.CancelAsync();
            }
        });
        Assert.Equal(stop.Token, cancelled.CancellationToken);
        await ProducerIsClosedAsync();
    }

    [Fact]
    public async Task MethodToken_EndsTheReadingToo()
    {
        using var stop = new CancellationTokenSource();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (var number in Proxy<IStreams>().CountAsync(int.MaxValue, stop.Token))
            {
                if (number == 5)
                    await stop.CancelAsync();
            }
        });
        await ProducerIsClosedAsync();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [Trait("Case", "glue-27")]
    public async Task FailureOfTheProducer_ArrivesTyped_AfterTheItemsBeforeIt(int after)
    {
        var items = new List<int>();
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(async () =>
        {
            await foreach (var item in Proxy<IStreams>().FailAsync(after, "yield"))
                items.Add(item);
        });
        Assert.Equal("producer failed", failure.Message);
        Assert.Equal(Enumerable.Range(0, after), items);
    }

    [Fact]
    [Trait("Case", "glue-27")]
    public async Task FailureOfTheProducersDisposal_ArrivesTyped()
    {
        var atEnd = await Assert.ThrowsAsync<InvalidOperationException>(
            () => Proxy<IStreams>().FailAsync(0, "dispose").ToListAsync().AsTask());
        Assert.Equal("disposal failed", atEnd.Message);
        var early = await Assert.ThrowsAsync<InvalidOperationException>(async () =>
        {
            await foreach (var item in Proxy<IStreams>().FailAsync(3, "dispose"))
            {
                if (item == 2)
                    break;
            }
        });
        Assert.Equal("disposal failed", early.Message);
    }

    [Fact]
    [Trait("Case", "glue-27")]
    public async Task FailureOfAnArgumentStream_ReachesTheService_AndItsCaller()
    {
        var failure = await Assert.ThrowsAsync<InvalidOperationException>(
            () => Proxy<IStreams>().SumAsync(FailingAsync()));
        Assert.Equal("client failed", failure.Message);
    }

    [Fact]
    [Trait("Case", "glue-45")]
    public async Task StreamInsideAResult_AndInsideItems_AndInsideArguments_IsCarried()
    {
        var streams = Proxy<IStreams>();
        var page = await streams.PageAsync("one", 4);
        Assert.Equal("one", page.Title);
        Assert.Equal([0, 1, 2, 3], await page.Lines!.ToListAsync());
        var lines = new List<int>();
        await foreach (var inner in streams.BookAsync(3))
            lines.AddRange(await inner.Lines!.ToListAsync());
        Assert.Equal([0, 0, 1, 0, 1, 2], lines);
        Assert.Equal(9, await streams.PagesAsync([new Page { Lines = Numbers(4) }, new Page { Lines = Numbers(3) }]));
        Assert.True(await streams.IsNullAsync(null));
    }

    [Fact]
    [Trait("Case", "glue-48")]
    public async Task ItemsLargerThanAChunkAndThanTheWindow_StayInOrder()
    {
        int[] sizes = [1, 200, 100_000, 3, 900_000, 16_000, 20_000, 7];
        var blobs = await Proxy<IStreams>().BlobsAsync(sizes).ToListAsync();
        Assert.Equal(sizes, blobs.Select(blob => blob.Length));
        Assert.All(blobs, blob => Assert.All(blob, one => Assert.Equal((byte)blob.Length, one)));
    }

    [Fact]
    public async Task ScopeOfTheCall_LivesAsLongAsItsStream()
    {
        Assert.Equal([1, 2], await Proxy<IStreams>().ScopedAsync().ToListAsync());
        await Eventually.TrueAsync(() => Seen.Notes.Contains("scope closed"), Bound);
    }

    [Fact]
    public async Task StreamOfACall_IsReadOnce()
    {
        var stream = Proxy<IStreams>().CountAsync(3);
        await stream.ToListAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => stream.ToListAsync().AsTask());
    }

    [Fact]
    [Trait("Case", "glue-43")]
    public async Task SlowReader_StopsAFastProducer()
    {
        var reading = Proxy<IStreams>().CountAsync(int.MaxValue).GetAsyncEnumerator();
        for (var i = 0; i < 10; i++)
            Assert.True(await reading.MoveNextAsync());
        if (Binding.Serializes)
            await Eventually.TrueAsync(() => Seen.Produced >= 1024, Bound);
        for (var i = 0; i < 20; i++)
        {
            await Proxy<IStreams>().SumAsync(Numbers(10));
            Assert.InRange(Seen.Produced, 10, 1024 + 512);
        }

        await reading.DisposeAsync();
    }

    [Fact]
    public async Task ItemAboveTheLimit_FailsTheStreamTyped()
    {
        if (!Binding.Serializes)
            return;
        var failure = await Assert.ThrowsAsync<GlueException>(
            () => Proxy<IStreams>().BlobsAsync(10, 2 * 1024 * 1024).ToListAsync().AsTask());
        Assert.Equal(GlueErrorCode.StreamItemTooLarge, failure.Code);
        Assert.Equal("3", await Proxy<IStreams>().LengthsAsync(new[] { "abc" }.ToAsyncEnumerable()));
    }

    private Task ProducerIsClosedAsync() => Eventually.TrueAsync(() => Seen.Notes.Contains("closed"), Bound);

    private static async IAsyncEnumerable<int> Numbers(
        int count,
        TaskCompletionSource? closed = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        try
        {
            for (var i = 0; i < count; i++)
            {
                if (i % 10 == 5)
                    await Task.Yield();
                cancellationToken.ThrowIfCancellationRequested();
                yield return i;
            }
        }
        finally
        {
            closed?.TrySetResult();
        }
    }

    private static async IAsyncEnumerable<int> InTurnAsync(SemaphoreSlim turn)
    {
        for (var i = 0; i < 20; i++)
        {
            Assert.True(await turn.WaitAsync(Bound));
            yield return i;
        }
    }

    private static async IAsyncEnumerable<int> FailingAsync()
    {
        yield return 1;
        await Task.Yield();
        throw new InvalidOperationException("client failed");
    }
}
