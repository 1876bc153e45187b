using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

/// <summary>Codecs of users: values, objects in cycles, versions and failures.</summary>
public sealed class UserCodecTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions().AddCodec(new MoneyCodec()).AddCodec(new KnotCodec()));

    [Fact]
    public void Struct_TravelsByItsCodec()
    {
        var back = _slim.DeepClone(new Money[] { new(5, "EUR"), new(-1, "USD") });
        Assert.Equal([new Money(5, "EUR"), new Money(-1, "USD")], back);
        Assert.Equal(new Money(1, "x"), (Money)_slim.DeepClone<object>(new Money(1, "x")));
    }

    [Fact]
    public void Object_InACycle_TravelsByItsCodec()
    {
        Knot knot = new() { Name = "k" };
        knot.Others.Add(knot);
        var back = _slim.DeepClone(knot);
        Assert.Equal("k", back.Name);
        Assert.Same(back, back.Others[0]);
    }

    [Fact]
    public void FailureOfACodec_OnRead_IsWrapped()
    {
        SlimSerializer failing = new(new SlimOptions().AddCodec(new FailingCodec()));
        var message = failing.Serialize(new Knot());
        var error = Assert.Throws<SlimMalformedException>(() => failing.Deserialize<Knot>(message));
        Assert.IsType<InvalidOperationException>(error.InnerException);
    }

    [Fact]
    public void KeptReader_ReadsNothingAfterTheCall()
    {
        LeakingCodec codec = new();
        SlimSerializer slim = new(new SlimOptions().AddCodec(codec));
        slim.DeepClone(new Knot());
        Assert.Throws<SlimMalformedException>(() => codec.Reader!.ReadBytes(new byte[1]));
    }

    [Fact]
    public void Version_IsPartOfTheLayout()
    {
        SlimSerializer newer = new(new SlimOptions().AddCodec(new MoneyCodec { Raised = 2 }).AddCodec(new KnotCodec()));
        var message = newer.Serialize(new Money(1, "x"));
        Assert.Throws<SlimLayoutException>(() => _slim.Deserialize<Money>(message));
    }

    private readonly record struct Money(long Cents, string Currency);

    private sealed class Knot
    {
        public string? Name { get; set; }

        public List<Knot> Others { get; set; } = [];
    }

    private sealed class MoneyCodec : SlimCodec<Money>
    {
        public int Raised { get; init; } = 1;

        public override int Version => Raised;

        public override void Write(SlimWriter writer, Money value)
        {
            writer.Write(value.Cents);
            writer.Write(value.Currency);
        }

        public override Money Create(SlimReader reader) => new(reader.Read<long>(), reader.Read<string>());
    }

    private sealed class KnotCodec : SlimCodec<Knot>
    {
        public override void Write(SlimWriter writer, Knot value) => writer.Write(value.Name);

        public override Knot Create(SlimReader reader) => new() { Name = reader.Read<string?>() };

        public override void WriteContent(SlimWriter writer, Knot value)
        {
            writer.WriteCount(value.Others.Count);
            foreach (var other in value.Others)
                writer.Write(other);
        }

        public override void ReadContent(SlimReader reader, Knot value)
        {
            var count = reader.ReadCount(1);
            reader.Charge(count * 8L);
            for (var i = 0; i < count; i++)
                value.Others.Add(reader.Read<Knot>());
        }
    }

    private sealed class FailingCodec : SlimCodec<Knot>
    {
        public override void Write(SlimWriter writer, Knot value) => writer.WriteBytes([1, 2, 3]);

        public override Knot Create(SlimReader reader) => throw new InvalidOperationException("no");
    }

    private sealed class LeakingCodec : SlimCodec<Knot>
    {
        public SlimReader? Reader { get; private set; }

        public override void Write(SlimWriter writer, Knot value)
        {
        }

        public override Knot Create(SlimReader reader)
        {
            Reader = reader;
            return new Knot();
        }
    }
}
