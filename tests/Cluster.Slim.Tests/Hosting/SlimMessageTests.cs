using Cluster.Slim.Hosting;

namespace Cluster.Slim.Tests.Hosting;

/// <summary>Typed roots of one message through the reusable writer and reader.</summary>
public sealed class SlimMessageTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Roots_OfSeveralTypes_ComeBackInOrder()
    {
        SlimMessageWriter writer = new(_slim);
        SlimMessageReader reader = new(_slim);
        for (var round = 0; round < 3; round++)
        {
            ArrayBufferWriter<byte> output = new();
            writer.Begin(output);
            writer.Write(round);
            writer.Write("text");
            writer.Write<int?>(null);
            writer.Write<long?>(5);
            writer.Write(new List<int> { 1, 2 });
            writer.Complete();

            reader.Begin(new ReadOnlySequence<byte>(output.WrittenMemory));
            Assert.Equal(round, reader.Read<int>());
            Assert.Equal("text", reader.Read<string>());
            Assert.Null(reader.Read<int?>());
            Assert.Equal(5, reader.Read<long?>());
            Assert.Equal([1, 2], reader.Read<List<int>>());
            reader.Complete();
        }
    }

    [Fact]
    public void Messages_OfSeveralTypesInTurn_AreReadAsTheirOwnTypes()
    {
        var slim = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known }.Allow<Apple>().Allow<Pear>());
        SlimMessageReader reader = new(slim);
        foreach (var number in Enumerable.Range(0, 6))
        {
            object fruit = number % 3 == 0 ? new Pear { Weight = number } : new Apple { Weight = number };
            reader.Begin(new ReadOnlySequence<byte>(slim.Serialize(fruit)));
            var back = reader.Read<object>();
            reader.Complete();
            Assert.Equal(fruit, back);
        }
    }

    [Fact]
    public void Write_OfRefusedGraph_LeavesOutputEmpty_AndWriterUsable()
    {
        SlimMessageWriter writer = new(_slim);
        ArrayBufferWriter<byte> output = new();
        writer.Begin(output);
        writer.Write(1);
        Assert.Throws<SlimTypeNotSupportedException>(() => writer.Write<object>(new MemoryStream()));
        Assert.Equal(0, output.WrittenCount);
        writer.Begin(output);
        writer.Write(2);
        writer.Complete();
        Assert.Equal(2, _slim.Deserialize<int>(output.WrittenSpan));
    }

    [Fact]
    public void Complete_WithUnreadRoot_Throws()
    {
        SlimMessageWriter writer = new(_slim);
        ArrayBufferWriter<byte> output = new();
        writer.Begin(output);
        writer.Write(1);
        writer.Write(2);
        writer.Complete();
        SlimMessageReader reader = new(_slim);
        reader.Begin(new ReadOnlySequence<byte>(output.WrittenMemory));
        Assert.Equal(1, reader.Read<int>());
        Assert.Throws<SlimMalformedException>(reader.Complete);
    }

    [Fact]
    public void Begin_Twice_Throws()
    {
        SlimMessageWriter writer = new(_slim);
        writer.Begin(new ArrayBufferWriter<byte>());
        Assert.Throws<InvalidOperationException>(() => writer.Begin(new ArrayBufferWriter<byte>()));
        writer.Abort();
        Assert.Throws<InvalidOperationException>(() => writer.Write(1));
    }

    private sealed record Apple
    {
        public int Weight { get; init; }
    }

    private sealed record Pear
    {
        public int Weight { get; init; }
    }
}
