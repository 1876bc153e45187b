using System.Runtime.Serialization;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Codecs.Callbacks;

#pragma warning disable SYSLIB0050, SYSLIB0051 // Types of the formatters of old, which are honoured where opted in.

/// <summary>The order of everything that a user's code sees of a read: constructors, real objects,
/// <c>OnDeserialized</c>, notifications. Each phase is over in the whole graph before the next, and in each children
/// come before parents.</summary>
[Trait("Case", "slim-F")]
public sealed class EventOrderTests
{
    [ThreadStatic]
    private static List<string>? _events;

    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AllowCallbacks<PlainNode>().AllowCallbacks<ContentNode>().AllowCallbacks<ReferenceNode>()
        .AllowCallbacks<ValueNode>().AllowCallbacks<ContentValueNode>().AllowCallbacks<ContentValue>()
        .AddCodec(new SurrogateCodec()).AllowCallbacks<Witness>());

    public static TheoryData<string, int, bool> Matrix()
    {
        TheoryData<string, int, bool> data = [];
        foreach (var kind in (string[])["plain", "content", "surrogate", "reference", "value", "content-value"])
        {
            for (var depth = 0; depth <= 2; depth++)
            {
                data.Add(kind, depth, false);
                data.Add(kind, depth, true);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public void Order_OfAChain_IsByPhase_AndChildrenFirst(string kind, int depth, bool isCycle)
    {
        var root = Chain(kind, depth, isCycle);
        var events = Record(() =>
        {
            var back = _slim.DeepClone(root);
            CheckShape(back, depth, isCycle);
        });
        foreach (var phase in PhasesOf(kind))
        {
            var names = Enumerable.Range(0, depth + 1).Reverse().Select(i => $"{phase} {i}");
            Assert.Equal(names, events.Where(e => e.StartsWith(phase + " ", StringComparison.Ordinal)));
        }

        CheckPhases(events);
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public void Order_UnderAWitness_OfEachKind_IsByPhase(string kind, int depth, bool isCycle)
    {
        // The witness has every event; it lies above the chain, and below it in another field.
        Witness witness = new() { Index = 90, Next = Chain(kind, depth, isCycle), Other = new Witness { Index = 91 } };
        var events = Record(() => CheckShape(_slim.DeepClone(witness).Next!, depth, isCycle));
        CheckPhases(events);
        foreach (var phase in (string[])["constructor", "told", "notified"])
        {
            string[] ofPhase = [.. events.Where(e => e.StartsWith(phase + " ", StringComparison.Ordinal))];
            Assert.Equal(ofPhase.Length, ofPhase.Distinct().Count());
            Assert.Equal($"{phase} 90", ofPhase[^1]);
            Assert.Contains($"{phase} 91", ofPhase);
        }
    }

    [Fact]
    public void EveryKindTogether_InOneGraph_KeepsThePhases()
    {
        foreach (var isCycle in (bool[])[false, true])
        {
            Node[] nodes = [.. Matrix().Where(d => (bool)d[2] == isCycle)
                .Select(d => Chain((string)d[0], (int)d[1], isCycle))];
            CheckPhases(Record(() => Assert.Equal(nodes.Length, _slim.DeepClone(nodes).Length)));
        }
    }

    [Fact]
    public void WithinACycle_TheLaterHandleIsFirst()
    {
        ContentNode root = new() { Index = 0 };
        ContentNode first = new() { Index = 1, Next = root };
        ContentNode second = new() { Index = 2, Next = root };
        root.Next = first;
        first.Side = second;
        var events = Record(() => _slim.DeepClone(root));
        Assert.Equal(
            ["constructor 2", "constructor 1", "constructor 0"],
            events.Where(e => e.StartsWith("constructor", StringComparison.Ordinal)));
    }

    [Fact]
    public void BelowTheDepthLimit_ChildrenStillComeFirst()
    {
        const int Count = 500;
        foreach (var kind in (string[])["plain", "content", "content-value"])
        {
            var root = Chain(kind, Count, isCycle: false);
            var events = Record(() => CheckShape(_slim.DeepClone(root), Count, isCycle: false));
            foreach (var phase in PhasesOf(kind))
            {
                Assert.Equal(
                    Enumerable.Range(0, Count + 1).Reverse().Select(i => $"{phase} {i}"),
                    events.Where(e => e.StartsWith(phase + " ", StringComparison.Ordinal)));
            }

            CheckPhases(events);
        }
    }

    private static string[] PhasesOf(string kind) => kind switch
    {
        "content" => ["constructor", "told", "notified"],
        "reference" => ["real", "told", "notified"],
        "surrogate" => ["created"],
        _ => ["told", "notified"],
    };

    private static void CheckPhases(List<string> events)
    {
        string[] early = ["created", "constructor", "real", "struct"];
        var told = events.FindIndex(static e => e.StartsWith("told", StringComparison.Ordinal));
        var notified = events.FindIndex(static e => e.StartsWith("notified", StringComparison.Ordinal));
        var lastEarly = events.FindLastIndex(e => early.Any(p => e.StartsWith(p, StringComparison.Ordinal)));
        var lastTold = events.FindLastIndex(static e => e.StartsWith("told", StringComparison.Ordinal));
        if (told >= 0)
            Assert.True(lastEarly < told, string.Join(", ", events));
        if (notified >= 0)
            Assert.True(lastTold < notified && lastEarly < notified, string.Join(", ", events));
    }

    private static void CheckShape(Node back, int depth, bool isCycle)
    {
        var root = back;
        for (var i = 0; i < depth; i++)
        {
            Assert.Equal(i, back.Index);
            back = back.Next!;
        }

        Assert.Equal(depth, back.Index);
        Assert.Same(isCycle ? root : null, back.Next);
    }

    private static Node Chain(string kind, int depth, bool isCycle)
    {
        var last = New(kind, depth);
        var first = last;
        for (var i = depth - 1; i >= 0; i--)
        {
            var node = New(kind, i);
            node.Next = first;
            first = node;
        }

        last.Next = isCycle ? first : null;
        return first;
    }

    private static Node New(string kind, int index)
    {
        Node node = kind switch
        {
            "plain" => new PlainNode(),
            "content" => new ContentNode(),
            "surrogate" => new SurrogateNode(),
            "reference" => new ReferenceNode(),
            "value" => new ValueNode(),
            _ => new ContentValueNode { Part = new ContentValue { Number = index } },
        };
        node.Index = index;
        return node;
    }

    private static List<string> Record(Action read)
    {
        var events = _events = [];
        read();
        _events = null;
        return events;
    }

    private static void Add(string phase, int index) => _events?.Add($"{phase} {index}");

    private abstract class Node
    {
        public int Index { get; set; }

        public virtual Node? Next { get; set; }
    }

    private sealed class PlainNode : Node, IDeserializationCallback
    {
        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private sealed class ReferenceNode : Node, IObjectReference, IDeserializationCallback
    {
        public object GetRealObject(StreamingContext context)
        {
            Add("real", Index);
            return this;
        }

        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private struct Value
    {
        public Node? Next;
    }

    private sealed class ValueNode : Node, IDeserializationCallback
    {
        private Value _value;

        public override Node? Next
        {
            get => _value.Next;
            set => _value.Next = value;
        }

        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private struct ContentValue : ISerializable
    {
        public int Number;
        public Node? Next;

        private ContentValue(SerializationInfo info, StreamingContext context)
        {
            Number = info.GetInt32("number");
            Next = (Node?)info.GetValue("next", typeof(Node));
            Add("struct", Number);
        }

        public readonly void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("number", Number);
            info.AddValue("next", Next, typeof(Node));
        }
    }

    private sealed class ContentValueNode : Node, IDeserializationCallback
    {
        public ContentValue Part;

        public override Node? Next
        {
            get => Part.Next;
            set => Part.Next = value;
        }

        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private sealed class ContentNode : Node, ISerializable, IDeserializationCallback
    {
        public ContentNode()
        {
        }

        private ContentNode(SerializationInfo info, StreamingContext context)
        {
            Index = info.GetInt32("index");
            Next = (Node?)info.GetValue("next", typeof(Node));
            Side = (Node?)info.GetValue("side", typeof(Node));
            Add("constructor", Index);
        }

        public Node? Side { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("index", Index);
            info.AddValue("next", Next, typeof(Node));
            info.AddValue("side", Side, typeof(Node));
        }

        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private sealed class Witness : ISerializable, IDeserializationCallback
    {
        public Witness()
        {
        }

        private Witness(SerializationInfo info, StreamingContext context)
        {
            Index = info.GetInt32("index");
            Next = (Node?)info.GetValue("next", typeof(Node));
            Other = (Witness?)info.GetValue("other", typeof(Witness));
            Add("constructor", Index);
        }

        public int Index { get; set; }

        public Node? Next { get; set; }

        public Witness? Other { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("index", Index);
            info.AddValue("next", Next, typeof(Node));
            info.AddValue("other", Other);
        }

        void IDeserializationCallback.OnDeserialization(object? sender) => Add("notified", Index);

        [OnDeserialized]
        private void Told(StreamingContext context) => Add("told", Index);
    }

    private sealed class SurrogateNode : Node;

    private sealed class SurrogateCodec : SlimCodec<SurrogateNode>
    {
        public override void Write(SlimWriter writer, SurrogateNode value) => writer.Write(value.Index);

        public override SurrogateNode Create(SlimReader reader) => new() { Index = reader.Read<int>() };

        public override void WriteContent(SlimWriter writer, SurrogateNode value) => writer.Write(value.Next);

        public override void ReadContent(SlimReader reader, SurrogateNode value)
        {
            value.Next = reader.Read<Node?>();
            Add("created", value.Index);
        }
    }
}
