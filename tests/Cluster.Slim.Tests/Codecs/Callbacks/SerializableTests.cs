using System.Runtime.Serialization;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>Types that say themselves what is carried of them: acceptance case F.</summary>
[Trait("Case", "slim-F")]
public sealed class SerializableTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AllowCallbacks<Link>().AllowCallbacks<Layered>().AllowCallbacks<Owned>().AllowCallbacks<Bag>()
        .AllowCallbacks<Traveller>().AllowCallbacks<Disguise>().AllowCallbacks<Strict>().AllowCallbacks<Middle>()
        .Allow<Owner>().Allow<Nest>().Allow<Outer>().Allow<Colour>().Allow<Hidden>().Allow<Owned[]>()
        .Allow<HashSet<Link>>().Allow<ImmutableHashSet<Link>>().Allow<Names>().AddCodec(new LooseCodec()));

    [Fact]
    public void NotOptedIn_IsRefusedWithTheLineToAdd()
    {
        var error = Assert.Throws<SlimTypeNotSupportedException>(
            () => new SlimSerializer().Serialize(new Link("a")));
        Assert.Contains(".AllowCallbacks<Link>()", error.Message, StringComparison.Ordinal);
        Assert.ThrowsAny<SlimException>(() => new SlimSerializer().Deserialize<Link>(_slim.Serialize(new Link("a"))));
        error = Assert.Throws<SlimTypeNotSupportedException>(() => new SlimSerializer().Serialize(new Owned(1, null)));
        Assert.Contains(".AllowCallbacks<Owned>()", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void InProcess_NeedsNoOptIn()
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.InProcess });
        Assert.Equal("a", slim.DeepClone(new Link("a")).Name);
    }

    [Fact]
    public void SelfReference_ComesBackAsItself()
    {
        Link source = new("self");
        source.Next = source;
        var back = _slim.DeepClone(source);
        Assert.Same(back, back.Next);
        Assert.Equal(("self", 1), (back.Name, back.ConstructorRuns));
    }

    [Fact]
    public void TwoNodeLoop_IsBuiltByDescendingHandle()
    {
        Link first = new("first");
        first.Next = new Link("second") { Next = first };
        var back = _slim.DeepClone(first);
        Assert.Same(back, back.Next!.Next);
        Assert.Equal(("first", "second"), (back.Name, back.Next.Name));
        Assert.Equal("second", back.NameOfNextAtConstruction);
        Assert.Null(back.Next.NameOfNextAtConstruction);
    }

    [Fact]
    public void SharedObject_IsBuiltOnce_BeforeAllThatReferToIt()
    {
        Link shared = new("shared");
        var back = _slim.DeepClone(new Link[] { new("a") { Next = shared }, new("b") { Next = shared }, shared });
        Assert.Same(back[0].Next, back[1].Next);
        Assert.Same(back[0].Next, back[2]);
        Assert.Equal(1, back[2].ConstructorRuns);
        Assert.All(back[..2], link => Assert.Equal("shared", link.NameOfNextAtConstruction));
    }

    [Fact]
    public void Layers_PrivateConstructorAndSeveralGetObjectData_AreHonoured()
    {
        var back = _slim.DeepClone(new Layered("base", 5, 2.5));
        Assert.Equal(("base", 5, 2.5), (back.Text, back.Count, back.Share));
        var middle = _slim.DeepClone<Base>(new Middle("m", 3)) as Middle ?? throw new InvalidOperationException();
        Assert.Equal(("m", 3), (middle.Text, middle.Count));
    }

    [Fact]
    [Trait("Case", "slim-B")]
    public void Struct_PointingBackToItsOwner_KeepsTheReference()
    {
        Owner owner = new() { Number = 4 };
        owner.Part = new Owned(7, owner);
        owner.Nested.Inner.Part = new Owned(8, owner);
        owner.Boxed = new Owned(9, owner);
        owner.Maybe = new Owned(10, owner);
        var back = _slim.DeepClone(owner);
        Owned[] parts = [back.Part, back.Nested.Inner.Part, (Owned)back.Boxed, back.Maybe!.Value];
        Assert.Equal([7, 8, 9, 10], parts.Select(p => p.Value));
        Assert.All(parts, part => Assert.Same(back, part.Owner));
    }

    [Fact]
    [Trait("Case", "slim-C")]
    public void Structs_InAnArrayThatTheyPointBackTo_KeepTheReference()
    {
        var array = new Owned[3];
        for (var i = 0; i < array.Length; i++)
            array[i] = new Owned(i, array);
        var back = _slim.DeepClone(array);
        Assert.Equal([0, 1, 2], back.Select(p => p.Value));
        Assert.All(back, part => Assert.Same(back, part.Owner));
        Assert.Equal(3, _slim.DeepClone(new Owned(3, null)).Value);
        Assert.Null(_slim.DeepClone<Owned?>(null));
    }

    [Fact]
    public void SetType_ToAnotherAllowedType_GivesThatType()
    {
        var back = _slim.DeepClone<object>(new Traveller(typeof(Disguise), "x"));
        Assert.Equal("x", Assert.IsType<Disguise>(back).Text);
        var twice = _slim.DeepClone(new object[] { back, new List<object> { back } });
        Assert.Same(twice[0], ((List<object>)twice[1])[0]);
        Assert.Equal("n", Assert.IsType<Hidden.Nested>(
            _slim.DeepClone<object>(new Traveller(typeof(Hidden.Nested), "n"))).Text);
    }

    [Fact]
    public void SetType_ToATypeThatIsNotAllowedOrDoesNotFit_IsRefused()
    {
        SlimException error = Assert.Throws<SlimTypeNotAllowedException>(
            () => _slim.Serialize<object>(new Traveller(typeof(Stranger), "x")));
        Assert.Contains("Traveller", error.MemberPath, StringComparison.Ordinal);
        foreach (var type in (Type[])[typeof(string), typeof(Names), typeof(Loose), typeof(Base), typeof(Colour)])
        {
            error = Assert.Throws<SlimTypeNotSupportedException>(
                () => _slim.Serialize<object>(new Traveller(type, "x")));
            Assert.Contains("cannot stand in", error.Message, StringComparison.Ordinal);
        }

        error = Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize<object>(new Traveller(typeof(Outer), "x")));
        Assert.Contains("no field named 'Text'", error.Message, StringComparison.Ordinal);
        var message = _slim.Serialize(new Traveller[] { new(typeof(Disguise), "x") });
        error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Traveller[]>(message));
        Assert.Contains("Disguise stands in a place of", error.Message, StringComparison.Ordinal);
        for (var i = 0; i < 2; i++)
        {
            error = Assert.Throws<SlimMalformedException>(() => _slim.DeepClone(new Traveller(typeof(Disguise), "x")));
            Assert.Contains("The root is a", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void NestedArrays_NullsAndNullableEnums_TravelInTheContent()
    {
        var back = _slim.DeepClone(new Bag
        {
            Items = [1, null, "a", new object[] { 2.5, Array.Empty<object>() }],
            Colour = Colour.Green,
            NoColour = null,
            Text = null,
        });
        Assert.Equal([1, null, "a"], back.Items![..3]);
        Assert.Equal(2.5, ((object[])back.Items[3]!)[0]);
        Assert.Equal((Colour.Green, null, null), (back.Colour, back.NoColour, back.Text));
    }

    [Fact]
    public void MissingMember_GivesTheFrameworksErrorWrapped()
    {
        var message = _slim.Serialize(new Strict(writes: false));
        var error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Strict>(message));
        Assert.Contains("'value'", Assert.IsType<SerializationException>(error.InnerException).Message,
            StringComparison.Ordinal);
        Assert.Equal(5, _slim.DeepClone(new Strict(writes: true)).Value);
    }

    [Fact]
    public void FailingGetObjectData_IsWrapped_WithItsPath()
    {
        Nest nest = new() { Items = [new Strict(writes: true), new Strict(writes: true, fails: true)] };
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(nest));
        Assert.IsType<InvalidTimeZoneException>(error.InnerException);
        Assert.Equal("Nest.Items[1]", error.MemberPath);
    }

    [Fact]
    public void ContentOfAForbiddenType_IsRefusedWithItsPath()
    {
        SlimException error = Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(new Bag { Items = [new MemoryStream()] }));
        Assert.Equal("Bag.items[0]", error.MemberPath);
    }

    [Fact]
    public void NoConstructor_IsRefusedOnWrite()
    {
        SlimSerializer slim = new(new SlimOptions().AllowCallbacks<Unbuildable>());
        SlimException error = Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize(new Unbuildable()));
        Assert.Contains("no constructor Unbuildable(SerializationInfo, StreamingContext)", error.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Case", "slim-E")]
    public void DeepChain_OfTenThousand_IsBuiltOnASmallStack()
    {
        Link chain = new("0");
        for (var i = 1; i < 10_000; i++)
            chain = new Link(i.ToString(System.Globalization.CultureInfo.InvariantCulture)) { Next = chain };
        byte[] message = [];
        Link? back = null;
        Thread thread = new(
            () =>
            {
                message = _slim.Serialize(chain);
                back = _slim.Deserialize<Link>(message);
            },
            256 * 1024);
        thread.Start();
        thread.Join();
        for (var i = 9_999; i > 0; i--, back = back.Next)
        {
            Assert.Equal(1, back!.ConstructorRuns);
            Assert.Equal(back.Next!.Name, back.NameOfNextAtConstruction);
        }
    }

    [Fact]
    public void KeyOfASetAndItem_ThatReferToAnEarlierObject_IsHashedWhenBuilt()
    {
        Link shared = new("shared");
        Link key = new("key") { Next = shared };
        var back = _slim.DeepClone(new object[]
        {
            shared, new HashSet<Link> { key }, ImmutableHashSet.Create(key),
        });
        Assert.All((HashSet<Link>)back[1], static link => Assert.Equal(1, link.ConstructorRuns));
        Assert.Contains(new Link("key"), (HashSet<Link>)back[1]);
        Assert.Contains(new Link("key"), (ImmutableHashSet<Link>)back[2]);
    }

    [Fact]
    public void CallbackLimit_BoundsWritesAndReads()
    {
        var options = new SlimOptions().AllowCallbacks<Link>();
        var message = new SlimSerializer(options).Serialize(new Link[] { new("a"), new("b"), new("c") });
        options.Limits.MaxCallbackCount = 2;
        SlimSerializer slim = new(options);
        var error = Assert.Throws<SlimLimitException>(() => slim.Deserialize<Link[]>(message));
        Assert.Equal(nameof(SlimLimits.MaxCallbackCount), error.LimitName);
        Assert.Throws<SlimLimitException>(() => slim.Serialize(new Link[] { new("a"), new("b"), new("c") }));
        Assert.Equal(2, slim.DeepClone(new Link[] { new("a"), new("b") }).Length);
    }

    [Fact]
    public void EveryTruncation_OfContent_IsRefused()
    {
        Link first = new("first") { Next = new Link("second") };
        var message = _slim.Serialize<object>(new object[] { first, new Traveller(typeof(Disguise), "x") });
        for (var length = 0; length < message.Length; length++)
            Assert.ThrowsAny<SlimException>(() => _slim.Deserialize<object>(message.AsSpan(0, length)));
    }

    [Serializable]
    private sealed class Link(string name) : ISerializable
    {
        private Link(SerializationInfo info, StreamingContext context)
            : this(info.GetString("name")!)
        {
            Next = (Link?)info.GetValue("next", typeof(Link));
            NameOfNextAtConstruction = Next?.Name;
            ConstructorRuns++;
        }

        public string Name { get; } = name;

        public Link? Next { get; set; }

        public string? NameOfNextAtConstruction { get; }

        public int ConstructorRuns { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("name", Name);
            info.AddValue("next", Next, typeof(Link));
        }

        public override bool Equals(object? obj) => obj is Link other && other.Name == Name;

        public override int GetHashCode() => Name.GetHashCode(StringComparison.Ordinal);
    }

    private abstract class Base(string text) : ISerializable
    {
        protected Base(SerializationInfo info, StreamingContext context)
            : this(info.GetString("text")!)
        {
        }

        public string Text { get; } = text;

        public virtual void GetObjectData(SerializationInfo info, StreamingContext context) =>
            info.AddValue("text", Text);
    }

    private class Middle : Base
    {
        public Middle(string text, int count)
            : base(text) => Count = count;

        protected Middle(SerializationInfo info, StreamingContext context)
            : base(info, context) => Count = info.GetInt32("count");

        public int Count { get; }

        public override void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            base.GetObjectData(info, context);
            info.AddValue("count", Count);
        }
    }

    private sealed class Layered : Middle
    {
        public Layered(string text, int count, double share)
            : base(text, count) => Share = share;

        private Layered(SerializationInfo info, StreamingContext context)
            : base(info, context) => Share = info.GetDouble("share");

        public double Share { get; }

        public override void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            base.GetObjectData(info, context);
            info.AddValue("share", (float)Share);
        }
    }

    private readonly struct Owned : ISerializable
    {
        public Owned(int value, object? owner)
        {
            Value = value;
            Owner = owner;
        }

        private Owned(SerializationInfo info, StreamingContext context)
        {
            Value = info.GetInt32("value");
            Owner = info.GetValue("owner", typeof(object));
        }

        public int Value { get; }

        public object? Owner { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("value", Value);
            info.AddValue("owner", Owner);
        }
    }

    private sealed class Owner
    {
        public int Number;
        public Owned Part;
        public Outer Nested;
        public object Boxed = 0;
        public Owned? Maybe;
    }

    private struct Outer
    {
        public Inner Inner;
    }

    private struct Inner
    {
        public Owned Part;
    }

    private enum Colour
    {
        Red,
        Green,
    }

    private sealed class Bag : ISerializable
    {
        public Bag()
        {
        }

        private Bag(SerializationInfo info, StreamingContext context)
        {
            Items = (object?[]?)info.GetValue("items", typeof(object[]));
            Colour = (Colour?)info.GetValue("colour", typeof(Colour?));
            NoColour = (Colour?)info.GetValue("none", typeof(Colour?));
            Text = info.GetString("text");
        }

        public object?[]? Items { get; init; }

        public Colour? Colour { get; init; }

        public Colour? NoColour { get; init; }

        public string? Text { get; init; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("items", Items);
            info.AddValue("colour", Colour, typeof(Colour?));
            info.AddValue("none", NoColour, typeof(Colour?));
            info.AddValue("text", Text);
        }
    }

    private sealed class Traveller(Type type, string text) : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.SetType(type);
            info.AddValue("Text", text);
        }
    }

    private sealed class Disguise : ISerializable
    {
        private Disguise(SerializationInfo info, StreamingContext context) => Text = info.GetString("Text");

        public string? Text { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Text", Text);
    }

    private sealed class Hidden(Hidden.Nested field)
    {
        public Nested Field { get; } = field;

        public sealed class Nested(string text)
        {
            public readonly string Text = text;
        }
    }

    private sealed class Stranger(string text)
    {
        public readonly string Text = text;
    }

    private sealed class Names : List<string>
    {
        public string? Text { get; set; }
    }

    private sealed class Loose
    {
        public string? Text { get; set; }
    }

    private sealed class LooseCodec : SlimCodec<Loose>
    {
        public override void Write(SlimWriter writer, Loose value) => writer.Write(value.Text);

        public override Loose Create(SlimReader reader) => new() { Text = reader.Read<string?>() };
    }

    private sealed class Nest
    {
        public Strict[] Items = [];
    }

    private sealed class Strict(bool writes, bool fails = false) : ISerializable
    {
        private Strict(SerializationInfo info, StreamingContext context)
            : this(true) => Value = info.GetInt32("value");

        public int Value { get; } = 5;

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            if (fails)
                throw new InvalidTimeZoneException();
            if (writes)
                info.AddValue("value", Value);
        }
    }

    private sealed class Unbuildable : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
        }
    }
}
