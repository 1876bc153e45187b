using System.Runtime.Serialization;
using Cluster.Slim.Messages;
using Cluster.Slim.Tests.Format;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Graph;

/// <summary>Values count as levels: objects in them wait as if each value were an object on the way. The writer,
/// the reader, a skip, a late build and a reader after the format page must count the same level for every value.</summary>
[Trait("Case", "slim-E")]
public sealed class ValueDepthTests
{
    private const int Count = 500;

    private static readonly Dictionary<string, Action<Link, Link>> Joins = new()
    {
        ["pair"] = static (link, next) => link.Pair = new(1, next),
        ["tuple"] = static (link, next) => link.Perhaps = (1, next),
        ["immutable array"] = static (link, next) => link.Fixed = [next],
        ["segment"] = static (link, next) => link.Segment = new([next, next], 1, 1),
        ["memory"] = static (link, next) => link.Memory = new([next]),
        ["read-only memory"] = static (link, next) => link.Read = new([next]),
        ["sequence"] = static (link, next) => link.Sequence = new([next]),
        ["inline array"] = static (link, next) => link.Inline[1] = next,
        ["struct"] = static (link, next) => link.Struct = new() { Inner = new(next) },
        ["box"] = static (link, next) => link.Boxed = new Outer { Inner = new(next) },
        ["content"] = static (link, next) => link.Told = new(next),
        ["codec"] = static (link, next) => link.Boxed = new Holder { Value = new(next) },
        ["box with codec"] = static (link, next) => link.Boxed = new Coded(next),
    };

    private readonly SlimSerializer _slim = new(new SlimOptions()
        .AddCodec(new CodedCodec()).AllowCallbacks<Told>().Allow<Outer>().Allow<Coded>().Allow<Holder>());

    public static TheoryData<string> Kinds => [.. Joins.Keys, "all"];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Chain_ThroughValues_IsReadBack(string kind) => DepthTests.OnSmallStack(() =>
    {
        var message = _slim.Serialize(Chain(kind)[0]);
        Check(_slim.Deserialize<Link>(message), 0);
    });

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ChainThroughValues_ThatIsPassed_EndsWhereItWasWritten(string kind) => DepthTests.OnSmallStack(() =>
    {
        var chain = Chain(kind);
        foreach (var kept in (int[])[1, 30, 48, 49, 97, 300, Count - 1])
        {
            var first = Below(kept % 3, chain[0]);
            Root root = new() { First = { Inner = new(first), Name = "n" }, Kept = new Link[] { chain[kept] }, Last = 7 };
            var message = _slim.Serialize(root);
            Assert.Equal(7, _slim.CreateProjection<Root, int>(static r => r.Last).Read(message));
            Assert.Equal("n", _slim.CreateProjection<Root, string>(static r => r.First.Name!).Read(message));
            Check(_slim.CreateProjection<Root, Link[]>(static r => r.Kept!).Read(message)![0], kept);
        }
    });

    [Theory]
    [MemberData(nameof(Kinds))]
    public void ChainThroughValues_ReadByThePage_IsWhole(string kind)
    {
        if (kind is "codec" or "box with codec" or "all")
            return;
        for (var levels = 0; levels < 3; levels++)
        {
            PageReader page = new(_slim.Serialize(Below(levels, Chain(kind)[0])), []);
            page.Read();
            Assert.Equal(
                Enumerable.Range(-levels, Count + levels),
                page.Objects.Where(static o => o.Fields.ContainsKey("Number"))
                    .Select(static o => BitConverter.ToInt32((byte[])o.Fields["Number"]!)).Order());
        }
    }

    [Theory]
    [InlineData("Wrap", "Wrap?")]
    [InlineData("Wrap?", "Wrap")]
    public void ChainThroughValues_ThatHaveBecomeNullable_IsRead(string old, string now)
    {
        VersionPair pair = new(Source(old), Source(now));
        dynamic? chain = null;
        for (var i = 0; i < 300; i++)
        {
            var wrap = pair.Old.New("Wrap", ("Next", (object?)chain));
            chain = pair.Old.New("Node", ("Number", i), ("Value", wrap));
        }

        pair.Check((object)chain!, static back =>
        {
            object? node = back;
            for (var i = 299; i >= 0; i--, node = TypeVersion.Get(TypeVersion.Get(node!, "Value")!, "Next"))
                Assert.Equal(i, TypeVersion.Get(node!, "Number"));
            Assert.Null(node);
        });
    }

    private static string Source(string type) => $$"""
        #nullable disable
        public struct Wrap { public Node Next; }
        public class Node { public int Number; public {{type}} Value; public string Zulu = "behind"; }
        """;

    private static List<Link> Chain(string kind)
    {
        string[] kinds = kind == "all" ? [.. Joins.Keys] : [kind];
        List<Link> chain = [new()];
        for (var i = 1; i < Count; i++)
        {
            Link next = new() { Number = i };
            Joins[kinds[i % kinds.Length]](chain[^1], next);
            chain.Add(next);
        }

        return chain;
    }

    // Links in front shift where the first body waits, so that a level more or less is noticed.
    private static Link Below(int levels, Link link) =>
        levels == 0 ? link : new Link { Number = -levels, Plain = Below(levels - 1, link) };

    private static void Check(Link? link, int number)
    {
        for (; number < Count; number++, link = link.Next())
            Assert.Equal(number, link!.Number);
        Assert.Null(link);
    }

    private sealed class Root
    {
        public Outer First;
        public Link[]? Kept;
        public int Last;
    }

    private sealed class Link
    {
        public int Number;
        public KeyValuePair<int, Link?> Pair;
        public (int, Link?)? Perhaps;
        public ImmutableArray<Link> Fixed;
        public ArraySegment<Link> Segment;
        public Memory<Link> Memory;
        public ReadOnlyMemory<Link> Read;
        public ReadOnlySequence<Link> Sequence;
        public Two Inline;
        public Outer Struct;
        public Told Told;
        public object? Boxed;
        public Link? Plain;

        // Behind everything else: what waits too early or too late does not end where it should.
        public string Text = "t";
        public string Zulu = "z";

        public Link? Next() => Pair.Value ?? Perhaps?.Item2
            ?? (Fixed.IsDefault ? null : Fixed[0]) ?? (Segment.Count == 0 ? null : Segment[0])
            ?? (Memory.IsEmpty ? null : Memory.Span[0]) ?? (Read.IsEmpty ? null : Read.Span[0])
            ?? (Sequence.IsEmpty ? null : Sequence.FirstSpan[0]) ?? Inline[1] ?? Struct.Inner.Next ?? Told.Next
            ?? (Boxed as Outer?)?.Inner.Next ?? (Boxed as Coded?)?.Next ?? (Boxed as Holder)?.Value.Next;
    }

    [InlineArray(2)]
    private struct Two
    {
        private Link? _first;
    }

    private readonly record struct Inner(Link? Next);

    private struct Outer
    {
        public Inner Inner;
        public string? Name;
    }

    private readonly record struct Coded(Link? Next);

    private sealed class Holder
    {
        public Coded Value;
    }

    private sealed class CodedCodec : SlimCodec<Coded>
    {
        public override void Write(SlimWriter writer, Coded value) => writer.Write(value.Next);

        public override Coded Create(SlimReader reader) => new(reader.Read<Link?>());
    }

    [Serializable]
    private struct Told(Link? next) : ISerializable
    {
        private Told(SerializationInfo info, StreamingContext context)
            : this((Link?)info.GetValue("next", typeof(object)))
        {
        }

        public readonly Link? Next => next;

        public readonly void GetObjectData(SerializationInfo info, StreamingContext context) =>
            info.AddValue("next", next);
    }
}
