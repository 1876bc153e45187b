using Cluster.Pile;

namespace Cluster.Buffers.Tests;

/// <summary>Whole buffers to and from streams.</summary>
public sealed class BufferStreamTests
{
    public static TheoryData<int> Lengths { get; } = [0, 1, 1000, (1 << 18) - 1, 1 << 18, 1_000_003];

    [Theory]
    [MemberData(nameof(Lengths))]
    public async Task Elements_WrittenAndRead_AreTheSame(int length)
    {
        using var array = new SafeArray<int>(length);
        for (var i = 0; i < length; i++)
            array[i] = i * 7;
        using var synchronous = new MemoryStream();
        using var asynchronous = new MemoryStream();
        array.WriteTo(synchronous);
        await array.WriteToAsync(asynchronous);
        Assert.Equal(length * 4L, synchronous.Length);
        Assert.Equal(synchronous.ToArray(), asynchronous.ToArray());

        using var huge = new HugeArray<int>(length);
        synchronous.Position = 0;
        huge.ReadFrom(synchronous);
        var handle = PileBuffer.Create<int>(length);
        asynchronous.Position = 0;
        await handle.ReadFromAsync(asynchronous);
        Assert.True(array.AsSpan().SequenceEqual(huge.AsSpan(0, length)));
        Assert.True(array.AsSpan().SequenceEqual(handle.AsSpan()));
        Assert.True(handle.Free());
    }

    [Fact]
    public async Task Stream_ThatIsTooShort_IsRefusedAndNoLeaseStays()
    {
        using var array = new SafeArray<int>(10);
        using var stream = new MemoryStream(new byte[39]);
        Assert.Throws<EndOfStreamException>(() => array.ReadFrom(stream));
        stream.Position = 0;
        await Assert.ThrowsAsync<EndOfStreamException>(() => array.ReadFromAsync(stream));
        Assert.Throws<ArgumentNullException>(() => array.WriteTo(null!));
        Assert.Throws<ArgumentNullException>(() => array.ReadFrom(null!));
        array.Dispose();
    }

    [Fact]
    public async Task Copy_UnderWay_HoldsALeaseAndEndsWhenCancelled()
    {
        var array = new SafeArray<byte>(10_000_000);
        using var stream = new StuckStream();
        using var cancellation = new CancellationTokenSource();
        var writing = array.WriteToAsync(stream, cancellation.Token);
        Assert.False(writing.IsCompleted);
        Assert.Throws<PileBusyException>(array.Dispose);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        array.Dispose();
        Assert.True(array.IsDisposed);
    }

    // Its writes end only when they are cancelled.
    private sealed class StuckStream : MemoryStream
    {
        public override async ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Assert.InRange(buffer.Length, 1, 1 << 20);
            await Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
        }
    }
}
