using System.Net.Sockets;

namespace Cluster.Nodes.Liveness;

/// <summary>A connection whose reads and writes block the calling thread, also the asynchronous ones. So TLS over it
/// needs no thread of the pool, which may be starved. All of them fail after a deadline, which the user of the
/// connection sets. One thread uses it; another one may close it.</summary>
/// <param name="socket">The connection, which is closed with the stream.</param>
internal sealed class BlockingStream(Socket socket) : Stream
{
    private long _deadline = long.MaxValue;

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    /// <summary>Sets the deadline of everything that is read and written from now on.</summary>
    /// <param name="span">The time that is left for all of it together.</param>
    public void Limit(TimeSpan span) => _deadline =
        TimeProvider.System.GetTimestamp() + (long)(span.TotalSeconds * TimeProvider.System.TimestampFrequency);

    public override int Read(Span<byte> buffer)
    {
        try
        {
            socket.ReceiveTimeout = FindTimeout();
            return socket.Receive(buffer);
        }
        catch (SocketException failure)
        {
            throw new IOException(failure.Message, failure);
        }
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            while (!buffer.IsEmpty)
            {
                socket.SendTimeout = FindTimeout();
                buffer = buffer[socket.Send(buffer)..];
            }
        }
        catch (SocketException failure)
        {
            throw new IOException(failure.Message, failure);
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        RunAsync(() => Read(buffer.Span), cancellationToken);

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => await RunAsync(
            () =>
            {
                Write(buffer.Span);
                return 0;
            },
            cancellationToken).ConfigureAwait(false);

    public override void Flush()
    {
        // Each write is sent at once.
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>Waits for what has been begun over such streams alone. It has ended in fact, unless the platform's TLS
    /// uses other threads.</summary>
    public static T Await<T>(ValueTask<T> begun)
    {
        if (begun.IsCompleted)
            return begun.Result;
        var task = begun.AsTask();
        ((IAsyncResult)task).AsyncWaitHandle.WaitOne();
        return new ValueTask<T>(task).Result;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
            socket.Dispose();
        base.Dispose(disposing);
    }

    // A cancelled call closes the connection: nothing else ends a read that blocks.
    private ValueTask<T> RunAsync<T>(Func<T> operation, CancellationToken cancellationToken)
    {
        using var closing = cancellationToken.UnsafeRegister(static closed => ((Socket)closed!).Dispose(), socket);
        try
        {
            return new ValueTask<T>(operation());
        }
        catch (Exception) when (cancellationToken.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<T>(cancellationToken);
        }
        catch (Exception failure)
        {
            return ValueTask.FromException<T>(failure);
        }
    }

    private int FindTimeout()
    {
        if (_deadline == long.MaxValue)
            return 0;
        var left = TimeProvider.System.GetElapsedTime(TimeProvider.System.GetTimestamp(), _deadline);
        return left > TimeSpan.Zero
            ? (int)Math.Min(Math.Ceiling(left.TotalMilliseconds), int.MaxValue)
            : throw new SocketException((int)SocketError.TimedOut);
    }
}
