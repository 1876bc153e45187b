using Cluster.Glue.Transport;

namespace Cluster.Glue.Tests.Fuzzing;

/// <summary>Opens streams that keep what passes. Thread-safe by its stream's lock.</summary>
/// <param name="inner">Opens the streams.</param>
/// <param name="startNote">Asked once for each stream: what keeps the payloads of this stream.</param>
internal sealed class RecordingConnector(IMessageConnector inner, Func<Action<bool, byte[]>> startNote)
    : IMessageConnector
{
    public RecordingConnector(IMessageConnector inner, Action<bool, byte[]> note)
        : this(inner, () => note)
    {
    }

    public async ValueTask<IMessageStream> OpenAsync(Uri address, CancellationToken cancellationToken) =>
        new RecordingStream(await inner.OpenAsync(address, cancellationToken), startNote());
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
        var payload = await inner.ReceiveAsync();
        if (payload is { } some)
            note(false, some.ToArray());
        return payload;
    }

    public ValueTask CompleteAsync() => inner.CompleteAsync();

    public void Abort() => inner.Abort();

    public ValueTask DisposeAsync() => inner.DisposeAsync();
}
