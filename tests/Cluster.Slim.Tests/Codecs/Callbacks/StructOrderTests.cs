using System.Runtime.Serialization;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>The code of structs runs where they stand in the message, all of it before the object around them goes on:
/// the exception to the order of events that docs/slim.md states.</summary>
[Trait("Case", "slim-F")]
[Trait("Case", "repair-C4")]
public sealed class StructOrderTests
{
    private static readonly string[] Struct = ["deserializing part", "told part", "notified part"];
    private static readonly string[] ContentStruct = ["constructor content part", "told content part"];

    [ThreadStatic]
    private static List<string>? _events;

    private readonly SlimSerializer _slim = new(new SlimOptions().AllowCallbacks<Part>().AllowCallbacks<ContentPart>()
        .AllowCallbacks<Plain>().AllowCallbacks<Content>().AllowCallbacks<Leaf>().Allow<Part[]>());

    [Fact]
    public void StructInAField_IsToldBeforeItsObjectIsFilled() => CheckEvents(
        new Plain { Part = new Part { Number = 1 }, Last = new Leaf() },
        ["deserializing plain", .. Struct, "told leaf", "told plain"]);

    [Fact]
    public void StructWithContent_IsBuiltBeforeItsObjectIsFilled() => CheckEvents(
        new Plain { Content = new ContentPart { Number = 1 }, Last = new Leaf() },
        ["deserializing plain", .. ContentStruct, .. Struct, "told leaf", "told plain"],
        hasContent: true);

    [Fact]
    public void StructInAClassWithContent_IsToldBeforeTheConstructorOfTheClass() => CheckEvents(
        new Content { Part = new Part { Number = 1 }, Leaf = new Leaf() },
        [.. Struct, "constructor content", "told leaf", "told content", "notified content"]);

    [Fact]
    public void StructsOfAnArray_AreToldOneByOne() => CheckEvents(
        new Part[] { new() { Number = 1 }, new() { Number = 2 } }, [.. Struct, .. Struct]);

    [Fact]
    public void StructInABox_IsToldWhereItStands() => CheckEvents<object>(
        new object[] { new Part { Number = 1 }, new Leaf() }, [.. Struct, "told leaf"]);

    [Fact]
    public void ObjectThatAStructRefersTo_IsFilled_ButNotToldYet() => CheckEvents(
        new Plain { Part = new Part { Number = 1, Leaf = new Leaf { Text = "filled" } }, Last = null },
        ["deserializing plain", "deserializing part", "told part, its leaf is filled", "notified part", "told leaf",
            "told plain"]);

    private void CheckEvents<T>(T value, string[] expected, bool hasContent = false)
    {
        var message = _slim.Serialize(value);
        _events = [];
        var back = _slim.Deserialize<T>(message);
        string[] events = [.. _events];
        _events = null;
        Assert.NotNull(back);

        // A struct without a value of its own is there, too, and says nothing of interest.
        Assert.Equal(expected, events.Where(e => hasContent || !e.Contains("content part", StringComparison.Ordinal)));
    }

    private static void Add(string what) => _events?.Add(what);

    private struct Part : IDeserializationCallback
    {
        public int Number;
        public Leaf? Leaf;

        public readonly void OnDeserialization(object? sender) => Add("notified part");

        [OnDeserializing]
        private readonly void Begin(StreamingContext context) => Add("deserializing part");

        [OnDeserialized]
        private readonly void Told(StreamingContext context) =>
            Add(Leaf is { } leaf ? $"told part, its leaf is {leaf.Text}" : "told part");
    }

    [Serializable]
    private struct ContentPart : ISerializable
    {
        public int Number;

        private ContentPart(SerializationInfo info, StreamingContext context)
        {
            Number = info.GetInt32("number");
            Add("constructor content part");
        }

        public readonly void GetObjectData(SerializationInfo info, StreamingContext context) =>
            info.AddValue("number", Number);

        [OnDeserialized]
        private readonly void Told(StreamingContext context) => Add("told content part");
    }

    private sealed class Leaf
    {
        public string? Text;

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told leaf");
    }

    private sealed class Plain
    {
        public Part Part;
        public ContentPart Content;
        public Leaf? Last;

        [OnDeserializing]
        private void Begin(StreamingContext context) => Add("deserializing plain");

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told plain");
    }

    [Serializable]
    private sealed class Content : ISerializable, IDeserializationCallback
    {
        public Part Part;
        public Leaf? Leaf;

        public Content()
        {
        }

        private Content(SerializationInfo info, StreamingContext context)
        {
            Part = (Part)info.GetValue("part", typeof(Part))!;
            Leaf = (Leaf?)info.GetValue("leaf", typeof(Leaf));
            Add("constructor content");
        }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("part", Part);
            info.AddValue("leaf", Leaf, typeof(Leaf));
        }

        public void OnDeserialization(object? sender) => Add("notified content");

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told content");
    }
}
