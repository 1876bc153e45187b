namespace Cluster.Slim.Tests.Roots;

/// <summary>The remembered beginning of messages changes neither bytes nor what is accepted.</summary>
public sealed class RootLeadTests
{
    public static TheoryData<SlimSchema, SlimProfile> Kinds => new()
    {
        { SlimSchema.Full, SlimProfile.Contract },
        { SlimSchema.Known, SlimProfile.Contract },
        { SlimSchema.Full, SlimProfile.Trusted },
        { SlimSchema.Full, SlimProfile.InProcess },
    };

    [Theory]
    [MemberData(nameof(Kinds))]
    public void SecondMessage_HasTheBytesOfTheFirst_AndReferencesToTheRootsTypeWork(
        SlimSchema schema, SlimProfile profile)
    {
        SlimSerializer slim = new(new SlimOptions { Schema = schema, Profile = profile });
        Knot knot = new() { Any = new Knot { Number = 2 }, Number = 1 };
        knot.Self = knot;
        var first = slim.Serialize(knot);
        Assert.NotNull(slim.Engine.Roots.Of<Knot>().Lead);
        for (var i = 0; i < 3; i++)
        {
            Assert.Equal(first, slim.Serialize(knot));
            var back = slim.Deserialize<Knot>(first);
            Assert.Same(back, back.Self);
            Assert.Equal(2, Assert.IsType<Knot>(back.Any).Number);
        }
    }

    [Fact]
    public void MessageOfTheOtherSchema_IsReadToo()
    {
        SlimSerializer full = new();
        SlimSerializer known = new(new SlimOptions { Schema = SlimSchema.Known });
        Knot knot = new() { Any = new Knot(), Number = 7 };
        var described = full.Serialize(knot);
        var brief = known.Serialize(knot);
        Assert.Equal(7, known.Deserialize<Knot>(described).Number);
        Assert.Equal(7, full.Deserialize<Knot>(brief).Number);
        Assert.Equal(7, known.Deserialize<Knot>(brief).Number);
    }

    [Fact]
    public void MessageThatEndsInsideTheLead_IsRefused()
    {
        SlimSerializer slim = new();
        var message = slim.Serialize(new Knot());
        var lead = slim.Engine.Roots.Of<Knot>().Lead!;
        for (var length = 0; length <= lead.Length; length++)
            Assert.Throws<SlimMalformedException>(() => slim.Deserialize<Knot>(message.AsSpan(0, length)));
    }

    [Fact]
    public void DerivedRoot_GoesWithItsOwnType()
    {
        SlimSerializer slim = new();
        slim.Serialize(new Knot());
        Assert.IsType<BigKnot>(slim.DeepClone<Knot>(new BigKnot()));
        Assert.Null(slim.DeepClone<Knot?>(null));
        Assert.Equal(typeof(Knot), slim.DeepClone(new Knot()).GetType());
    }

    private class Knot
    {
        public int Number { get; set; }

        public Knot? Self { get; set; }

        public object? Any { get; set; }
    }

    private sealed class BigKnot : Knot;
}
