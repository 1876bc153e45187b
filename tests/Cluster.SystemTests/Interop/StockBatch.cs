using Google.Protobuf.WellKnownTypes;

namespace Cluster.SystemTests.Interop;

/// <summary>One received message: a batch of envelopes. Immutable.</summary>
internal sealed class StockBatch
{
    private const byte WithAge = 2;

    public StockBatch(BytesValue message)
    {
        var reader = new StockReader(message.Value.ToByteArray());
        var form = reader.Byte();
        Assert.InRange(form, 1, WithAge);
        Number = reader.Count();
        ReceivedCount = reader.Count();
        if (form == WithAge)
            reader.Varint();
        while (!reader.IsAtEnd)
            Envelopes.Add(StockEnvelope.Read(reader));
    }

    public int Number { get; }

    public int ReceivedCount { get; }

    public List<StockEnvelope> Envelopes { get; } = [];
}
