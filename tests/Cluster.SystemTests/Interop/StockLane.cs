using Google.Protobuf.WellKnownTypes;

namespace Cluster.SystemTests.Interop;

/// <summary>The batches that a stock server received and sent on one substream. Batches that the client has not
/// received are sent again on the substream's next stream. Used by one stream at a time.</summary>
internal sealed class StockLane
{
    private readonly SortedDictionary<int, byte[][]> _unconfirmed = [];
    private int _number;
    private ulong _begun;

    public int ReceivedCount { get; private set; }

    public StockTransfers Transfers { get; } = new();

    /// <summary>Forgets the batches that the client has received.</summary>
    public void Confirm(int receivedCount)
    {
        foreach (var number in _unconfirmed.Keys.Where(number => number <= receivedCount).ToArray())
            _unconfirmed.Remove(number);
    }

    /// <summary>Returns true if the batch is new and contains envelopes.</summary>
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

    /// <summary>Composes the batches of a reply that is sent in chunks.</summary>
    public IEnumerable<BytesValue> AnswerLarge(ulong callId, byte[] body) =>
        [.. StockWire.Chunks(++_begun, [(byte)StockKind.Reply, .. StockWire.Varint((long)callId)], body)
            .Select(piece => Answer(piece))];

    public IEnumerable<BytesValue> Unconfirmed() => _unconfirmed.Keys.Select(Compose);

    private BytesValue Compose(int number) => StockWire.Batch(number, ReceivedCount, _unconfirmed[number]);
}
