using Cluster.Glue.Tests.Semantics;
using Cluster.Testing;

namespace Cluster.Glue.Tests.Sessions;

/// <summary>Acceptance case 73: each side decides on its own whether it compresses, what does not shrink travels as it
/// is, and all arrives as it was. Bytes are counted between the two.</summary>
[Trait("Case", "glue-73")]
public class CompressionTests
{
    private const int Bytes = 300_000;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<GlueTransport, GlueCompression, GlueCompression> Sides
    {
        get
        {
            var data = new TheoryData<GlueTransport, GlueCompression, GlueCompression>();
            foreach (var transport in Enum.GetValues<GlueTransport>())
            {
                foreach (var client in Enum.GetValues<GlueCompression>())
                {
                    foreach (var server in Enum.GetValues<GlueCompression>())
                        data.Add(transport, client, server);
                }
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Sides))]
    public async Task Text_TravelsSmaller_WhereItsSenderWantsThat_AndItsReceiverAccepts(
        GlueTransport transport, GlueCompression client, GlueCompression server)
    {
        (var up, var down) = await CountAsync(transport, client, server, TextOf(Bytes));
        Check(up, client == GlueCompression.Gzip);
        // A client that compresses nothing does not say that it reads it.
        Check(down, client == GlueCompression.Gzip && server == GlueCompression.Gzip);

        static void Check(long bytes, bool isCompressed) =>
            Assert.InRange(bytes, isCompressed ? 500 : Bytes, isCompressed ? Bytes / 4 : Bytes + 50_000);
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task RandomBytes_TravelAsTheyAre(GlueTransport transport)
    {
        var random = new byte[Bytes];
        new Random(3).NextBytes(random);
        (var up, var down) = await CountAsync(transport, GlueCompression.Gzip, GlueCompression.Gzip, random);
        Assert.InRange(up, Bytes, Bytes + 50_000);
        Assert.InRange(down, Bytes, Bytes + 50_000);
    }

    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task Calls_OfAllSizes_AtOnce_ArriveAsTheyWere(GlueTransport transport)
    {
        await using var host = await GlueHost.StartAsync(server => server.Compression = GlueCompression.Gzip);
        await using var client = ClientOf(transport, GlueCompression.Gzip);
        var shapes = client.CreateProxy<IGraphs>(host.Address);
        await Task.WhenAll(Enumerable.Range(0, 200).Select(async number =>
        {
            var bytes = number % 3 == 0 ? new byte[number * 700] : TextOf(number * 700);
            new Random(number).NextBytes(bytes.AsSpan(0, bytes.Length / (1 + (number % 5))));
            Assert.Equal(bytes, await shapes.EchoBytesAsync(bytes).WaitAsync(Bound));
        }));
    }

    /// <summary>The limit holds for what comes out.</summary>
    [Theory]
    [InlineData(GlueTransport.Link)]
    [InlineData(GlueTransport.Unary)]
    public async Task Message_ThatIsTooLarge_IsRefusedAsWithoutCompression(GlueTransport transport)
    {
        await using var host = await GlueHost.StartAsync(server =>
        {
            server.Compression = GlueCompression.Gzip;
            server.MaxMessageBytes = 64 * 1024;
        });
        await using var client = ClientOf(transport, GlueCompression.Gzip);
        var shapes = client.CreateProxy<IGraphs>(host.Address);
        await Assert.ThrowsAsync<GlueException>(() => shapes.EchoBytesAsync(new byte[200_000]).WaitAsync(Bound));
        Assert.Equal(4, await client.CreateProxy<IShapes>(host.Address).TwiceAsync(2).WaitAsync(Bound));
    }

    [Fact]
    public async Task Option_ThatIsNone_IsRefused_OnBothSides()
    {
        var client = Assert.Throws<ArgumentException>(
            () => new GlueClient(new GlueClientOptions { Compression = (GlueCompression)7 }));
        Assert.Contains("Glue:Client:Compression", client.Message, StringComparison.Ordinal);
        var server = await Assert.ThrowsAsync<Microsoft.Extensions.Options.OptionsValidationException>(
            () => GlueHost.StartAsync(options => options.Compression = (GlueCompression)7));
        Assert.Contains("Glue:Server:Compression", server.Message, StringComparison.Ordinal);
    }

    private static async Task<(long Up, long Down)> CountAsync(
        GlueTransport transport, GlueCompression ofClient, GlueCompression ofServer, byte[] bytes)
    {
        await using var host = await GlueHost.StartAsync(server => server.Compression = ofServer);
        await using var relay = new CountingRelay(host.Address);
        await using var client = ClientOf(transport, ofClient);
        var shapes = client.CreateProxy<IGraphs>(relay.Address);
        Assert.Equal(bytes, await shapes.EchoBytesAsync(bytes).WaitAsync(Bound));
        return (relay.BytesToServer, relay.BytesToClient);
    }

    private static GlueClient ClientOf(GlueTransport transport, GlueCompression compression) =>
        new(new GlueClientOptions { Transport = transport, Compression = compression, DefaultDeadline = Bound });

    private static byte[] TextOf(int length)
    {
        var text = new StringBuilder();
        for (var number = 0; text.Length < length; number++)
            text.Append("line ").Append(number).Append(" of many that look alike\n");
        return Encoding.UTF8.GetBytes(text.ToString()[..length]);
    }
}
