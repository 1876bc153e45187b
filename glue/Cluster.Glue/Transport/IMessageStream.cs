using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>A duplex stream of byte messages to one peer: the interface between Glue and its transports. Opened by an
/// <see cref="IMessageConnector"/>, or accepted by the server endpoint. One sender and one receiver at a time; the two
/// may run in parallel.</summary>
internal interface IMessageStream : IAsyncDisposable
{
    /// <summary>Largest message that <see cref="ReceiveAsync"/> accepts; small until the handshake is done.</summary>
    int ReceiveBytesMax { get; set; }

    /// <summary>Sends one message and flushes it. The caller may reuse the bytes when the task has ended.</summary>
    ValueTask SendAsync(ReadOnlyMemory<byte> payload);

    /// <summary>Receives one message, valid until the next call; null when the peer ended the stream in
    /// order.</summary>
    ValueTask<ReadOnlyMemory<byte>?> ReceiveAsync();

    /// <summary>The message that was received last, for users who read it after the next one. Null: they have to copy
    /// it.</summary>
    IReceivedMessage? Received => null;

    /// <summary>Ends this side's half of the stream in order.</summary>
    ValueTask CompleteAsync();

    /// <summary>Ends both halves at once; pending operations fail. Idempotent, does not block, and does nothing to a
    /// stream that has ended or was disposed.</summary>
    void Abort();
}
