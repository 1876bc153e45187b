using Cluster.Glue.Wire;

namespace Cluster.Glue.Tests.Wire;

public class EnvelopeTests
{
    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("01")]
    [InlineData("01 00")]
    [InlineData("02 00 00 03 07 00")]
    public void Open_WithoutVersionAndCount_IsRefused(string batch) => CheckRefused(batch);

    [Theory]
    [InlineData("01 00 00 00 01 00")]
    [InlineData("01 00 00 1F 01 00")]
    [InlineData("01 00 00 81 01 00")]
    [InlineData("01 00 00 43 01 00")]
    [InlineData("01 00 00 03")]
    [InlineData("01 00 00 03 FFFFFFFFFFFFFFFFFFFF01 00")]
    [InlineData("01 00 00 03 07 05 AA")]
    [InlineData("01 00 00 01 07")]
    [InlineData("01 00 00 01 07 05")]
    [InlineData("01 00 00 23 07 FFFFFF7F 00")]
    public void Read_MalformedEnvelope_IsRefused(string batch) => CheckRefused(batch);

    [Fact]
    public void Read_Headers_AreSkippedToTheBody()
    {
        var reader = BatchHead.Open(Convert.FromHexString("010409230702AABB01CC"), out var head);
        var envelope = Envelope.Read(ref reader);
        Assert.Equal(new BatchHead(4, 9), head);
        Assert.Equal([0xAA, 0xBB], envelope.Headers.ToArray());
        Assert.Equal([0xCC], envelope.Body.ToArray());
    }

    [Fact]
    public void Read_RandomBytes_RefusesOrReads()
    {
        const int Seed = 4711;
        var random = new Random(Seed);
        for (var round = 0; round < 50_000; round++)
        {
            var batch = new byte[random.Next(1, 40)];
            random.NextBytes(batch);
            batch[0] = GlueWire.BatchForm;
            try
            {
                var reader = BatchHead.Open(batch, out _);
                while (!reader.AtEnd)
                    Envelope.Read(ref reader);
            }
            catch (WireException)
            {
                // Refusal is the expected answer; anything else fails the test with the seed above.
            }
        }
    }

    private static void CheckRefused(string hex)
    {
        var batch = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Assert.Throws<WireException>(() =>
        {
            var reader = BatchHead.Open(batch, out _);
            while (!reader.AtEnd)
                Envelope.Read(ref reader);
        });
    }
}
