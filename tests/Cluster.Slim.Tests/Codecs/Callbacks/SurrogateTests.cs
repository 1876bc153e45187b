using System.Runtime.Serialization;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which a codec carries instead.

/// <summary>Codecs of users in the place of the surrogates of old.</summary>
[Trait("Case", "slim-F")]
public sealed class SurrogateTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AddCodec(new PointCodec()).AddCodec(new ClosedCodec()).AddCodec(new NothingCodec()).Allow<Pair>());

    [Fact]
    public void ValueType_ByValueAndBoxed_TravelsByTheCodec()
    {
        var back = _slim.DeepClone(new Pair { Point = new Point(1, 2), Boxed = new Point(3, 4) });
        Assert.Equal((new Point(1, 2), new Point(3, 4)), (back.Point, (Point)back.Boxed!));
        object box = new Point(5, 6);
        var shared = _slim.DeepClone(new[] { box, box });
        Assert.Same(shared[0], shared[1]);
    }

    [Fact]
    public void TypeThatIsNotSerializable_TravelsByTheCodec_AndItsOwnCodeDoesNotRun()
    {
        Closed closed = new("a");
        var back = _slim.DeepClone(new[] { closed, closed, new Closed("b") });
        Assert.Same(back[0], back[1]);
        Assert.Equal(("a", "b"), (back[0].Name, back[2].Name));
    }

    [Fact]
    public void SameCodec_TwiceInOneCycle_KeepsTheReferences()
    {
        Closed first = new("first");
        first.Other = new Closed("second") { Other = first };
        var back = _slim.DeepClone(first);
        Assert.Same(back, back.Other!.Other);
    }

    [Fact]
    public void CodecThatCreatesNothing_IsRefused()
    {
        var message = _slim.Serialize(new Nothing());
        SlimException error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Nothing>(message));
        Assert.Contains("did not create one", error.Message, StringComparison.Ordinal);
    }

    private readonly record struct Point(int X, int Y);

    private sealed class Pair
    {
        public Point Point;
        public object? Boxed;
    }

    private sealed class Nothing;

    private sealed class Closed(string name) : ISerializable
    {
        public string Name { get; } = name;

        public Closed? Other { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) =>
            throw new InvalidOperationException();
    }

    private sealed class PointCodec : SlimCodec<Point>
    {
        public override void Write(SlimWriter writer, Point value)
        {
            writer.Write(value.Y);
            writer.Write(value.X);
        }

        public override Point Create(SlimReader reader)
        {
            var y = reader.Read<int>();
            return new Point(reader.Read<int>(), y);
        }
    }

    private sealed class ClosedCodec : SlimCodec<Closed>
    {
        public override void Write(SlimWriter writer, Closed value) => writer.Write(value.Name);

        public override Closed Create(SlimReader reader) => new(reader.Read<string>());

        public override void WriteContent(SlimWriter writer, Closed value) => writer.Write(value.Other);

        public override void ReadContent(SlimReader reader, Closed value) => value.Other = reader.Read<Closed?>();
    }

    private sealed class NothingCodec : SlimCodec<Nothing>
    {
        public override void Write(SlimWriter writer, Nothing value) => writer.WriteCount(0);

        public override Nothing Create(SlimReader reader) => null!;
    }
}
