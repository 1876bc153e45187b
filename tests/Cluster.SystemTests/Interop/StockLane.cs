using Google.Protobuf.WellKnownTypes;

namespace Cluster.SystemTests.Interop;

/// <summary>Batches that a stock server received and sent on one lane. What the client has not received is sent again
/// on its next stream. One stream at a time uses it.</summary>
internal sealed class StockLane
{
    private readonly SortedDictionary<int, byte[][]> _unconfirmed = [];
    private int _number;
    private ulong _begun;

    public int ReceivedCount { get; private set; }

    public StockTransfers Transfers { get; } = new();

    /// <summary>Forgets what the client has received.</summary>
    public void Confirm(int receivedCount)
    {
        foreach (var number in _unconfirmed.Keys.Where(number => number <= receivedCount).ToArray())
            _unconfirmed.Remove(number);
    }

    /// <summary>Whether a batch is new and has something in it.</summary>
    public bool Receive(StockBatch batch)
    {
        Confirm(batch.ReceivedCount);
        if (batch.Envelopes.Count == 0 || (batch.Number > 0 && batch.Number <= ReceivedCount))
            return false;
        Assert.Equal(ReceivedCount + 1, batch.Number);
        ReceivedCount = batch.Number;
        return true;
    }

    public BytesValue Answer(params byte[][] envelopes)
    {
        _unconfirmed[++_number] = envelopes;
        return Compose(_number);
    }

    /// <summary>A reply in pieces.</summary>
    public IEnumerable<BytesValue> AnswerLarge(ulong callId, byte[] body) =>
        [.. StockWire.Chunks(++_begun, [(byte)StockKind.Reply, .. StockWire.Varint((long)callId)], body)
            .Select(piece => Answer(piece))];

    public IEnumerable<BytesValue> Unconfirmed() => _unconfirmed.Keys.Select(Compose);

    private BytesValue Compose(int number) => StockWire.Batch(number, ReceivedCount, _unconfirmed[number]);
}
