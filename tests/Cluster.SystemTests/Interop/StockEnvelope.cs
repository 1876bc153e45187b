namespace Cluster.SystemTests.Interop;

/// <summary>One received envelope. A request names its method by a handle or by three hashes. Immutable.</summary>
internal sealed class StockEnvelope
{
    private const int KindBits = 0x1F;
    private const int HeadersBit = 0x20;
    private const int NamedBit = 0x40;

    private StockEnvelope(StockReader reader)
    {
        var first = reader.Byte();
        Kind = (StockKind)(first & KindBits);
        CallId = reader.Varint();
        if (Kind is StockKind.Call or StockKind.OneWay or StockKind.Following)
        {
            if ((first & NamedBit) != 0)
                Hashes = reader.Take(24);
            else
                Handle = reader.Count();
            // This server runs all calls in the order of their arrival, so it need not know the line of a call.
            if (Kind == StockKind.Following)
            {
                Kind = StockKind.Call;
                reader.Varint();
            }

            reader.Varint();
        }

        if ((first & HeadersBit) != 0)
            reader.Block();
        Body = reader.Block();
    }

    public StockKind Kind { get; }

    public ulong CallId { get; }

    public int Handle { get; }

    public byte[]? Hashes { get; }

    public byte[] Body { get; }

    public static StockEnvelope Read(byte[] bytes) => new(new StockReader(bytes));

    public static StockEnvelope Read(StockReader reader) => new(reader);
}
