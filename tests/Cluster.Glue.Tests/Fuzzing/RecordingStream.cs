using Cluster.Glue.Transport;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Opens streams that keep what passes. Thread-safe by its stream's lock.</summary>
internal sealed class RecordingConnector(IMessageConnector inner, Action<bool, byte[]> note) : IMessageConnector
{
    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken)
        => new RecordingStream(await inner.OpenAsync(address, cancellationToken), note);
}

/// <summary>A stream whose payloads are noted both ways: true for those to the server.</summary>
internal sealed class RecordingStream(IMessageStream inner, Action<bool, byte[]> note) : IMessageStream
{
    public int ReceiveBytesMax
    {
        get => inner.ReceiveBytesMax;
        set => inner.ReceiveBytesMax = value;
    }

    public ValueTask SendAsync(ReadOnlyMemory<byte> payload)
    {
        note(true, payload.ToArray());
        return inner.SendAsync(payload);
    }

    public async ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync()
    {
        ReadOnlyMemory<byte>? payload = await inner.ReceiveAsync();
        if (payload is { } some)
            note(false, some.ToArray());
        return payload;
    }

    public ValueTask CompleteAsync() => inner.CompleteAsync();

    public void Abort() => inner.Abort();

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
