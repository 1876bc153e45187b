namespace Cluster.SystemTests.Interop;

/// <summary>The body of a Fault: of Glue, with delivery and code, or of the application. Immutable.</summary>
internal sealed class StockFault
{
    private const byte OfGlue = 1;

    public StockFault(byte[] body)
    {
        var reader = new StockReader(body);
        if (reader.Byte() == OfGlue)
        {
            reader.Varint();
            Delivery = reader.Count();
            Code = reader.Count();
            Text = reader.Text();
            return;
        }

        Assert.True(reader.Count() > 0);
        TypeName = reader.Text();
        Text = reader.Text();
    }

    public int Delivery { get; }

    public int Code { get; }

    public string? TypeName { get; }

    public string Text { get; }
}
