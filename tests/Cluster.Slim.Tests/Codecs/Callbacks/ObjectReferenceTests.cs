using System.Runtime.Serialization;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>Objects that stand for others: what is read is the real object, wherever it is referred to.</summary>
[Trait("Case", "slim-F")]
public sealed class ObjectReferenceTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AllowCallbacks<Single>().AllowCallbacks<SingleProxy>().AllowCallbacks<Suit>().AllowCallbacks<Itself>()
        .AllowCallbacks<Knot>().AllowCallbacks<Shell>().AllowCallbacks<Nothing>().AllowCallbacks<Steps>().AllowCallbacks<Endless>()
        .AllowCallbacks<Coin>().AllowCallbacks<Told>().Allow<Place>().Allow<Node>().Allow<List<Suit>>()
        .Allow<HashSet<Suit>>().Allow<Dictionary<Suit, Suit>>().Allow<ImmutableList<Suit>>()
        .Allow<ImmutableHashSet<Suit>>().Allow<Tuple<Suit, Suit>>().Allow<Dictionary<string, object>>()
        .Allow<LinkedList<object>>().Allow<Tuple<object>>().Allow<Spot[]>().Allow<List<object>>()
        .Allow<ImmutableArray<object>>().Allow<(object, object)[]>());

    [Fact]
    public void Singleton_ThatNamesAProxy_ComesBackAsItself_OnEveryMessage()
    {
        for (var i = 0; i < 3; i++)
        {
            Assert.Same(Single.Instance, _slim.DeepClone(Single.Instance));
            Assert.Same(Single.Instance, _slim.DeepClone<object>(Single.Instance));
        }

        var back = _slim.DeepClone(new Place { Single = Single.Instance, Any = Single.Instance });
        Assert.Same(Single.Instance, back.Single);
        Assert.Same(Single.Instance, back.Any);
        Assert.All(_slim.DeepClone(new[] { Single.Instance, Single.Instance }), s => Assert.Same(Single.Instance, s));
    }

    [Fact]
    public void EnumLikeClass_ComesBackAsItsInstances_InEveryCollection()
    {
        Suit[] suits = [Suit.Hearts, Suit.Clubs, Suit.Hearts];
        CheckSuits(_slim.DeepClone(suits));
        CheckSuits(_slim.DeepClone(suits.ToList()));
        CheckSuits(_slim.DeepClone(suits.ToImmutableList()));
        CheckSuits(_slim.DeepClone(new List<object>(suits)).Cast<Suit>());
        Assert.Contains(Suit.Clubs, _slim.DeepClone(new HashSet<Suit>(suits)));
        Assert.Contains(Suit.Clubs, _slim.DeepClone(suits.ToImmutableHashSet()));
        Assert.Same(Suit.Hearts, _slim.DeepClone(new Dictionary<Suit, Suit> { [Suit.Clubs] = Suit.Hearts })[Suit.Clubs]);
        var pair = _slim.DeepClone(Tuple.Create(Suit.Clubs, Suit.Clubs));
        Assert.Same(Suit.Clubs, pair.Item1);
        Assert.Same(Suit.Clubs, pair.Item2);
        Assert.Same(Suit.Clubs, _slim.DeepClone(Suit.Clubs));
    }

    [Fact]
    public void EnumLikeClass_BelowTheDepthLimit_IsKnownBeforeItIsReferredTo()
    {
        Node chain = new();
        for (var i = 0; i < 1_000; i++)
            chain = new Node { Next = chain, Suits = ImmutableList.Create(new Suit($"{i}"), Suit.Hearts) };
        var back = _slim.DeepClone(chain);
        for (var i = 0; i < 1_000; i++, back = back.Next)
        {
            Assert.Equal($"{999 - i}", back!.Suits![0].Name);
            Assert.Same(Suit.Hearts, back.Suits[1]);
        }
    }

    [Fact]
    public void Itself_InACycle_StaysInIt()
    {
        Itself source = new() { Name = "a" };
        source.Other = new Itself { Name = "b", Other = source };
        var back = _slim.DeepClone(source);
        Assert.Same(back, back.Other!.Other);
        Assert.Equal(("a", "b"), (back.Name, back.Other.Name));
    }

    [Fact]
    public void InACycle_TheRealObjectGoesIntoEveryPlaceThatCanBeChanged()
    {
        Knot knot = new();
        Place place = new() { Any = knot };
        knot.Inner = place;
        place.Items = [knot, 1, knot];
        place.Grid = new object[2, 2] { { 0, knot }, { knot, 3 } };
        place.List = [knot, "x"];
        place.Map = new() { ["a"] = knot, ["b"] = 2 };
        place.Spot = new Spot { Deep = new DeepSpot { Any = knot } };
        place.Spots = [new Spot { Deep = new DeepSpot { Any = knot } }];
        place.Pairs = [(knot, knot)];
        place.Slice = [knot];
        var back = _slim.DeepClone(place);
        var real = Assert.IsType<Untied>(back.Any);
        Assert.Same(back, real.Inner);
        Assert.Equal(1, real.Resolutions);
        Assert.IsType<Knot>(real.Source);
        object?[] places =
        [
            back.Items![0], back.Items[2], back.Grid![0, 1], back.Grid[1, 0], back.List![0], back.Map!["a"],
            back.Spot.Deep.Any, back.Spots![0].Deep.Any, back.Pairs![0].Item1, back.Pairs[0].Item2, back.Slice[0],
        ];
        Assert.All(places, p => Assert.Same(real, p));
        Assert.Equal(2, back.Map["b"]);
    }

    [Fact]
    public void RootThatStandsForAnother_AndIsReferredToBelow_IsReplacedThere()
    {
        Knot knot = new() { Inner = new Place() };
        knot.Inner.Any = knot;
        var back = Assert.IsType<Untied>(_slim.DeepClone<object>(knot));
        Assert.Same(back, back.Inner!.Any);
        SlimException error = Assert.Throws<SlimMalformedException>(() => _slim.DeepClone(knot));
        Assert.Contains("The root stands for", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void RealObject_FromTheSameMessage_RefersToItself()
    {
        Shell shell = new() { Inner = new Place() };
        shell.Inner.Any = shell;
        var back = (Place)_slim.DeepClone<object[]>([1, shell])[1];
        Assert.Same(back, back.Any);
    }

    [Fact]
    public void LaterRoots_FindTheRealObjectUnderTheHandle()
    {
        Knot knot = new() { Inner = new Place() };
        knot.Inner.Any = knot;
        System.Buffers.ArrayBufferWriter<byte> output = new();
        _slim.SerializeRoots(output, knot, knot, knot.Inner);
        var back = _slim.DeserializeRoots(
            new System.Buffers.ReadOnlySequence<byte>(output.WrittenMemory),
            [typeof(object), typeof(object), typeof(Place)]);
        Assert.IsType<Untied>(back[0]);
        Assert.Same(back[0], back[1]);
        Assert.Same(back[0], ((Place)back[2]!).Any);
    }

    [Fact]
    public void InACycle_PlacesThatCannotBeChanged_AreRefused()
    {
        foreach (var holder in new object[] { new LinkedList<object>(), new Tuple<object>(new List<object>()) })
        {
            Knot knot = new() { Inner = new Place { Any = holder } };
            if (holder is LinkedList<object> list)
                list.AddLast(knot);
            else
                knot.Inner.Any = new Tuple<object>(knot);
            SlimException error = Assert.Throws<SlimTypeNotSupportedException>(() => _slim.DeepClone<object>(knot));
            Assert.Contains("stands for another object that was not known", error.Message, StringComparison.Ordinal);
        }

        Knot typed = new() { Inner = new Place() };
        typed.Inner.Knot = typed;
        Assert.Contains(
            "which does not fit",
            Assert.Throws<SlimMalformedException>(() => _slim.DeepClone<object>(typed)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void RealObject_IsNotWalkedInto()
    {
        var told = (Told)_slim.DeepClone(new object[] { new Told(), new Suit("x") })[0];
        Assert.Equal(1, told.Runs);
        SingleProxy.LastProxy = null;
        Place place = new() { Single = Single.Instance };
        Knot knot = new() { Inner = place };
        place.Any = knot;
        _slim.DeepClone(place);
        Assert.IsType<SingleProxy>(SingleProxy.LastProxy);
        Assert.Same(SingleProxy.LastProxy, Single.Instance.Live[0]);
    }

    [Fact]
    public void SeveralSteps_AreFollowed_NullAndEndlessOnesRefused()
    {
        Assert.Same(Suit.Hearts, _slim.DeepClone<object>(new Steps()));
        Assert.Contains("returned null", Refused(new Nothing()), StringComparison.Ordinal);
        Assert.Contains("100 times", Refused(new Endless()), StringComparison.Ordinal);
        Assert.Contains("stands in a place of", Refused(new Place { Suit = new Suit("wrong") }), StringComparison.Ordinal);
    }

    [Fact]
    public void Struct_StandsForAnotherOfItsType()
    {
        var back = _slim.DeepClone(new Coin[] { new() { Cents = 3 }, new() { Cents = 7 } });
        Assert.Equal([5, 10], back.Select(c => c.Cents));
        Assert.Equal(5, ((Coin)_slim.DeepClone<object>(new Coin { Cents = 1 })).Cents);
    }

    [Fact]
    public void MarkOfAnObject_ThatIsUnknown_IsRefused()
    {
        var message = _slim.Serialize(new Suit("marked"));
        var mark = message.AsSpan().LastIndexOf("marked"u8) - 2;
        Assert.Equal(2, message[mark]);
        foreach (var value in (byte[])[0, 1, 3, 4, 255])
        {
            message[mark] = value;
            Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Suit>(message));
        }
    }

    private static void CheckSuits(IEnumerable<Suit> back)
    {
        Suit[] suits = [.. back];
        Assert.Same(Suit.Hearts, suits[0]);
        Assert.Same(Suit.Clubs, suits[1]);
        Assert.Same(Suit.Hearts, suits[2]);
    }

    private string Refused(object value) =>
        Assert.Throws<SlimMalformedException>(() => _slim.DeepClone(value)).Message;

    private sealed class Single : ISerializable
    {
        private Single()
        {
        }

        public static Single Instance { get; } = new();

        public object?[] Live { get; } = [null];

        public void GetObjectData(SerializationInfo info, StreamingContext context) =>
            info.SetType(typeof(SingleProxy));
    }

    private sealed class SingleProxy : IObjectReference
    {
        public static object? LastProxy { get; set; }

        public object GetRealObject(StreamingContext context)
        {
            LastProxy = this;
            Single.Instance.Live[0] = this;
            return Single.Instance;
        }
    }

    private sealed class Suit(string name) : IObjectReference
    {
        public static Suit Hearts { get; } = new("hearts");

        public static Suit Clubs { get; } = new("clubs");

        public string Name { get; } = name;

        public object GetRealObject(StreamingContext context) => Name switch
        {
            "hearts" => Hearts,
            "clubs" => Clubs,
            "wrong" => "a text",
            _ => this,
        };
    }

    private sealed class Itself : IObjectReference
    {
        public string? Name { get; set; }

        public Itself? Other { get; set; }

        public object GetRealObject(StreamingContext context) => this;
    }

    private sealed class Knot : IObjectReference
    {
        [NonSerialized]
        private int _resolutions;

        public Place? Inner { get; set; }

        public object GetRealObject(StreamingContext context) => new Untied(Inner, this, ++_resolutions);
    }

    private sealed class Untied(Place? inner, object source, int resolutions)
    {
        public object Source { get; } = source;

        public Place? Inner { get; } = inner;

        public int Resolutions { get; } = resolutions;
    }

    private sealed class Shell : IObjectReference
    {
        public Place? Inner { get; set; }

        public object GetRealObject(StreamingContext context) => Inner!;
    }

    private sealed class Nothing : IObjectReference
    {
        public object GetRealObject(StreamingContext context) => null!;
    }

    private sealed class Steps : IObjectReference
    {
        public object GetRealObject(StreamingContext context) => Suit.Hearts;
    }

    private sealed class Endless : IObjectReference
    {
        public object GetRealObject(StreamingContext context) => new Endless();
    }

    private struct Coin : IObjectReference
    {
        public int Cents;

        public readonly object GetRealObject(StreamingContext context) => new Coin { Cents = (Cents + 4) / 5 * 5 };
    }

    private sealed class Told
    {
        [NonSerialized]
        private int _runs;

        public int Runs => _runs;

        [OnDeserialized]
        private void OnDeserialized(StreamingContext context) => _runs++;
    }

    private sealed class Node
    {
        public Node? Next;
        public ImmutableList<Suit>? Suits;
    }

    private struct DeepSpot
    {
        public object? Any;
    }

    private struct Spot
    {
        public DeepSpot Deep;
    }

    private sealed class Place
    {
        public Single? Single;
        public Suit? Suit;
        public Knot? Knot;
        public object? Any;
        public object?[]? Items;
        public object?[,]? Grid;
        public List<object>? List;
        public Dictionary<string, object>? Map;
        public Spot Spot;
        public Spot[]? Spots;
        public (object, object)[]? Pairs;
        public ImmutableArray<object> Slice;
    }
}
