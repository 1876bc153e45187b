using System.Runtime.Serialization;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>Marked methods and the notification, on classes, derived ones, collections, exceptions and
/// structs.</summary>
[Trait("Case", "slim-F")]
public sealed class CallbackTests
{
    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AllowCallbacks<Base>().AllowCallbacks<Derived>().AllowCallbacks<Overriding>().AllowCallbacks<Names>()
        .AllowCallbacks<Index>().AllowCallbacks<Failure>().AllowCallbacks<Cached>().AllowCallbacks<Shared>()
        .AllowCallbacks<Failing>().Allow<Holder>().Allow<Plain>());

    [Fact]
    public void BaseAndDerived_EachRunOnce_BaseFirst_OnSourceAndResult()
    {
        Derived source = new() { Number = 5 };
        var back = (Derived)_slim.DeepClone<Base>(source);
        Assert.Equal(
            ["base serializing", "derived serializing", "base serialized", "derived serialized"], source.Events);
        Assert.Equal(
            ["base deserializing", "derived deserializing", "base deserialized", "derived deserialized", "notified"],
            back.Events);
        Assert.Equal(5, back.Number);
    }

    [Fact]
    public void OverriddenCallback_IsOneMethod_AndRunsOnce()
    {
        var back = _slim.DeepClone(new Overriding());
        Assert.Equal(["overridden"], back.Events!);
    }

    [Fact]
    public void OnSerializing_RunsBeforeTheFieldsAreWritten_AndSerializedAfterTheMessage()
    {
        Derived source = new();
        var back = _slim.DeepClone(source);
        Assert.Equal(1, back.SerializingRuns);
        Assert.Equal((1, 1), (source.SerializingRuns, source.SerializedRuns));
        Assert.Equal(0, back.SerializedRuns);
    }

    [Fact]
    public void OnDeserializing_SetsWhatIsNotCarried_BeforeTheFieldsAreFilled()
    {
        var back = _slim.DeepClone(new Shared { Text = "sent" });
        Assert.Equal(("sent", "default"), (back.Text, back.Local));
    }

    [Fact]
    public void SharedObject_IsToldOnce()
    {
        Shared shared = new();
        var back = _slim.DeepClone(new[] { shared, shared, shared });
        Assert.Equal(1, back[0].Runs);
        Assert.Same(back[0], back[2]);
    }

    [Fact]
    public void Collections_AreFilledBeforeTheyAreTold()
    {
        var names = _slim.DeepClone(new Names { "a", "b" });
        Assert.Equal((2, 2), (names.Count, names.CountWhenTold));
        Names holding = new();
        holding.Add("x");
        Index index = new() { [new Shared { Text = "k" }] = holding };
        index.Reverse = index;
        var back = _slim.DeepClone(index);
        Assert.Same(back, back.Reverse);
        Assert.Equal((1, 1, 1), (back.Count, back.CountWhenTold, back.CountWhenNotified));
        Assert.Equal(1, back.Single().Value.CountWhenTold);
    }

    [Fact]
    public void Exception_WithCallback_IsTold()
    {
        var back = (Failure)_slim.DeepClone<Exception>(new Failure("m"));
        Assert.Equal(("m", "m!"), (back.Message, back.Shout));
    }

    [Fact]
    public void Struct_RunsItsCallbacksWhereItStands_AndKeepsWhatTheySet()
    {
        var back = _slim.DeepClone(new Holder
        {
            One = new Cached { Number = 3 }, Boxed = new Cached { Number = 4 }, Many = [new Cached { Number = 5 }],
        });
        Assert.Equal((6, 8, 10), (back.One.Double, ((Cached)back.Boxed!).Double, back.Many[0].Double));
        Assert.Equal("prepared told notified", back.One.Events);
    }

    [Fact]
    public void MethodThatIsMerelyCalledOnDeserialization_NeedsNoOptIn()
    {
        var back = new SlimSerializer().DeepClone(new Plain { Number = 7 });
        Assert.Equal((7, 0), (back.Number, back.Runs));
    }

    [Fact]
    public void NotOptedIn_IsRefusedWithTheLineToAdd()
    {
        foreach (var value in new object[] { new Derived(), new Names(), new Failure("m"), new Cached() })
        {
            SlimException error = Assert.Throws<SlimTypeNotSupportedException>(
                () => new SlimSerializer(new SlimOptions().Allow(value.GetType())).Serialize(value));
            Assert.Contains($".AllowCallbacks<{value.GetType().Name}>()", error.Message, StringComparison.Ordinal);
        }

        SlimSerializer onlyBase = new(new SlimOptions().AllowCallbacks<Base>().Allow<Derived>());
        Assert.Throws<SlimTypeNotSupportedException>(() => onlyBase.Serialize<Base>(new Derived()));
    }

    [Fact]
    public void WrongSignature_IsRefused()
    {
        SlimSerializer slim = new(new SlimOptions().AllowCallbacks<WrongSignature>());
        SlimException error = Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize(new WrongSignature()));
        Assert.Contains("void Told(StreamingContext)", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Moment.Serializing)]
    [InlineData(Moment.Serialized)]
    public void Failure_OnWrite_IsWrapped_NamesThePath_AndRunsOnce(Moment moment)
    {
        Failing failing = new() { FailsAt = moment };
        var error = Assert.Throws<SlimTypeNotSupportedException>(
            () => _slim.Serialize(new object[] { "x", failing }));
        Assert.IsType<InvalidTimeZoneException>(error.InnerException);
        Assert.Equal("Object[][1]", error.MemberPath);
        Assert.Equal(moment == Moment.Serializing ? 1 : 2, failing.Runs);
    }

    [Theory]
    [InlineData(Moment.Deserializing)]
    [InlineData(Moment.Deserialized)]
    [InlineData(Moment.Notified)]
    public void Failure_OnRead_IsWrapped_AndTheSerializerStaysUsable(Moment moment)
    {
        var message = _slim.Serialize(new Failing { FailsAt = moment });
        Failing.FailsAtCreation = moment == Moment.Deserializing;
        Failing.ToldRuns = 0;
        var error = Assert.Throws<SlimMalformedException>(() => _slim.Deserialize<Failing>(message));
        Failing.FailsAtCreation = false;
        Assert.Equal(moment == Moment.Deserializing ? 0 : 1, Failing.ToldRuns);
        Assert.IsType<InvalidTimeZoneException>(error.InnerException);
        Assert.Equal(Moment.Never, _slim.DeepClone(new Failing()).FailsAt);
    }

    [Fact]
    public void Callback_MayUseTheSerializerItself()
    {
        Nesting.Slim = new SlimSerializer(new SlimOptions().AllowCallbacks<Nesting>().AllowCallbacks<Shared>());
        var back = Nesting.Slim.DeepClone(new[] { new Nesting { Text = "a" }, new Nesting { Text = "b" } });
        Assert.Equal(["a", "b"], back.Select(n => n.Inner!.Text));
        Assert.All(back, n => Assert.Equal(1, n.Inner!.Runs));
    }

    [Fact]
    public void RootsOfOneMessage_AndSessions_AreToldEachOnce()
    {
        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        for (var i = 0; i < 3; i++)
        {
            System.Buffers.ArrayBufferWriter<byte> output = new();
            writer.Serialize(output, new Shared());
            writer.Commit();
            Assert.Equal(1, reader.Deserialize<Shared>(output.WrittenSpan).Runs);
        }

        System.Buffers.ArrayBufferWriter<byte> roots = new();
        Shared shared = new();
        _slim.SerializeRoots(roots, shared, new Derived(), shared);
        var back = _slim.DeserializeRoots(
            new System.Buffers.ReadOnlySequence<byte>(roots.WrittenMemory),
            [typeof(Shared), typeof(Derived), typeof(Shared)]);
        Assert.Equal(1, ((Shared)back[0]!).Runs);
        Assert.Same(back[0], back[2]);
        Assert.Equal("notified", ((Derived)back[1]!).Events[^1]);
    }

    private sealed class Nesting : ISerializable
    {
        public Nesting()
        {
        }

        private Nesting(SerializationInfo info, StreamingContext context) =>
            Inner = Slim.Deserialize<Shared>((byte[])info.GetValue("inner", typeof(byte[]))!);

        public static SlimSerializer Slim { get; set; } = new();

        public string? Text { get; init; }

        public Shared? Inner { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) =>
            info.AddValue("inner", Slim.Serialize(new Shared { Text = Text }));
    }

    public enum Moment
    {
        Never,
        Serializing,
        Serialized,
        Deserializing,
        Deserialized,
        Notified,
    }

    private class Base
    {
        [NonSerialized]
        private List<string>? _events = [];

        public int Number { get; set; }

        public int SerializingRuns { get; private set; }

        public int SerializedRuns { get; private set; }

        public List<string> Events => _events ??= [];

        [OnSerializing]
        private void Before(StreamingContext context)
        {
            Events.Add("base serializing");
            SerializingRuns++;
        }

        [OnSerialized]
        private void After(StreamingContext context)
        {
            Events.Add("base serialized");
            SerializedRuns++;
        }

        [OnDeserializing]
        private void Prepare(StreamingContext context) => Events.Add("base deserializing");

        [OnDeserialized]
        private void Told(StreamingContext context) => Events.Add("base deserialized");
    }

    private sealed class Derived : Base, IDeserializationCallback
    {
        void IDeserializationCallback.OnDeserialization(object? sender) => Events.Add("notified");

        [OnSerializing]
        private void Before(StreamingContext context) => Events.Add("derived serializing");

        [OnSerialized]
        private void After(StreamingContext context) => Events.Add("derived serialized");

        [OnDeserializing]
        private void Prepare(StreamingContext context) => Events.Add("derived deserializing");

        [OnDeserialized]
        private void Told(StreamingContext context) => Events.Add("derived deserialized");
    }

    private abstract class Overridable
    {
        [NonSerialized]
        private List<string>? _events;

        public List<string> Events => _events ??= [];

        [OnDeserialized]
        protected virtual void Told(StreamingContext context) => Events.Add("base");
    }

    private sealed class Overriding : Overridable
    {
        [OnDeserialized]
        protected override void Told(StreamingContext context) => Events.Add("overridden");
    }

    private sealed class Shared
    {
        [NonSerialized]
        private string? _local;

        [NonSerialized]
        private int _runs;

        public string? Text { get; set; }

        public string? Local => _local;

        public int Runs => _runs;

        [OnDeserializing]
        private void Prepare(StreamingContext context) => (_local, Text) = ("default", "default");

        [OnDeserialized]
        private void Told(StreamingContext context) => _runs++;
    }

    private sealed class Names : List<string>
    {
        [NonSerialized]
        private int _countWhenTold;

        public int CountWhenTold => _countWhenTold;

        [OnDeserialized]
        private void Told(StreamingContext context) => _countWhenTold = Count;
    }

    private sealed class Index : Dictionary<Shared, Names>
    {
        [NonSerialized]
        private int _countWhenTold;

        [NonSerialized]
        private int _countWhenNotified;

        public Index? Reverse { get; set; }

        public int CountWhenTold => _countWhenTold;

        public int CountWhenNotified => _countWhenNotified;

        public override void OnDeserialization(object? sender) => _countWhenNotified = Count;

        [OnDeserialized]
        private void Told(StreamingContext context) => _countWhenTold = Count;
    }

    private sealed class Failure(string message) : Exception(message)
    {
        [NonSerialized]
        private string? _shout;

        public string? Shout => _shout;

        [OnDeserialized]
        private void Told(StreamingContext context) => _shout = Message + "!";
    }

    private struct Cached : IDeserializationCallback
    {
        public int Number;

        [NonSerialized]
        public int Double;

        [NonSerialized]
        public string? Events;

        public void OnDeserialization(object? sender) => Events += " notified";

        [OnDeserializing]
        private void Prepare(StreamingContext context) => Events = "prepared";

        [OnDeserialized]
        private void Told(StreamingContext context)
        {
            Events += " told";
            Double = Number * 2;
        }
    }

    private sealed class Holder
    {
        public Cached One;
        public object? Boxed;
        public Cached[] Many = [];
    }

    private sealed class Plain
    {
        [NonSerialized]
        private int _runs;

        public int Number { get; set; }

        public int Runs => _runs;

        public void OnDeserialization(object? sender) => _runs++;
    }

    private sealed class WrongSignature
    {
        [OnDeserialized]
        private void Told() => GC.KeepAlive(this);
    }

    private sealed class Failing : IDeserializationCallback
    {
        [NonSerialized]
        private int _runs;

        public static bool FailsAtCreation { get; set; }

        public static int ToldRuns { get; set; }

        public Moment FailsAt { get; set; }

        public int Runs => _runs;

        void IDeserializationCallback.OnDeserialization(object? sender) => FailAt(Moment.Notified);

        [OnSerializing]
        private void Before(StreamingContext context) => FailAt(Moment.Serializing);

        [OnSerialized]
        private void After(StreamingContext context) => FailAt(Moment.Serialized);

        [OnDeserializing]
        private void Prepare(StreamingContext context)
        {
            if (FailsAtCreation)
                throw new InvalidTimeZoneException();
        }

        [OnDeserialized]
        private void Told(StreamingContext context)
        {
            ToldRuns++;
            FailAt(Moment.Deserialized);
        }

        private void FailAt(Moment moment)
        {
            _runs++;
            if (FailsAt == moment)
                throw new InvalidTimeZoneException();
        }
    }
}
