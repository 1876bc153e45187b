using Cluster.Slim.Messages;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Skipping;

/// <summary>Acceptance case L: values of fields that the reader does not have keep their handles and come back when
/// something refers to them.</summary>
[Trait("Case", "slim-L")]
public sealed class SkippedObjectTests
{
    private const string Node = """
        public class Node { public int Number; public Node Next; public object Any; public System.Collections.Generic.List<Node> All; }
        """;

    private const string Gone = Node + "public class Order { public object A; public object B; public object Kept; }";
    private const string Now = Node + "public class Order { public object Kept; }";

    private readonly VersionPair _pair = new(Gone, Now);

    [Fact]
    public void SkippedObject_ReferredToLater_IsBuiltWithItsCycle()
    {
        dynamic node = NewNode(1);
        (node.Next, node.Any, node.All) = (NewNode(2), "text", NewList(node, NewNode(3)));
        node.Next.Next = node;
        dynamic order = NewOrder(node, null, node);
        _pair.Check((object)order, back =>
        {
            Assert.Equal((1, 2, "text"), ((int)back.Kept.Number, (int)back.Kept.Next.Number, (string)back.Kept.Any));
            Assert.Same((object)back.Kept, (object)back.Kept.Next.Next);
            Assert.Same((object)back.Kept, (object)back.Kept.All[0]);
            Assert.Equal(3, (int)back.Kept.All[1].Number);
        });
    }

    [Fact]
    public void PartsOfASkippedObject_InAnyOrder_AreTheSameObjects()
    {
        dynamic outer = NewNode(1);
        outer.Next = NewNode(2);
        outer.Next.Next = NewNode(3);
        outer.Next.Next.All = NewList(outer, outer.Next);
        dynamic inner = outer.Next.Next;
        foreach (var kept in new[] { new object[] { inner, outer }, new object[] { outer, inner }, [inner, outer.Next, outer, inner] })
        {
            dynamic order = NewOrder(outer, new object(), kept);
            _pair.Check((object)order, back =>
            {
                dynamic read = ((object[])back.Kept).Single(o => ((dynamic)o).Number == 1);
                Assert.Contains((object)read.Next.Next, (object[])back.Kept);
                Assert.Same((object)read, (object)read.Next.Next.All[0]);
                Assert.Same((object)read.Next, (object)read.Next.Next.All[1]);
                Assert.Equal(kept.Select(o => (int)((dynamic)o).Number), ((object[])back.Kept).Select(o => (int)((dynamic)o).Number));
            });
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(95)]
    [InlineData(97)]
    [InlineData(300)]
    public void SkippedChain_BelowTheDepthOfBodiesThatWait_IsBuilt(int at)
    {
        dynamic first = NewNode(0);
        dynamic last = first;
        List<object> nodes = [first];
        for (var i = 1; i < 400; i++)
        {
            last.Next = NewNode(i);
            last = last.Next;
            nodes.Add(last);
        }

        last.Any = first;
        dynamic order = NewOrder(first, null, new object[] { nodes[at], nodes[at - 1], nodes[399], nodes[at] });
        _pair.Check((object)order, back =>
        {
            dynamic node = back.Kept[0];
            Assert.Same((object)node, (object)back.Kept[3]);
            Assert.Same((object)node, (object)back.Kept[1].Next);
            for (var i = at; i < 399; i++, node = node.Next)
                Assert.Equal(i, (int)node.Number);
            Assert.Same((object)node, (object)back.Kept[2]);
            Assert.Equal(0, (int)node.Any.Number);
        });
    }

    [Fact]
    public void SkippedObjects_ThatReferToEachOther_DoNotRecurse()
    {
        var nodes = new object[50_000];
        for (var i = 0; i < nodes.Length; i++)
        {
            dynamic node = NewNode(i);
            node.Any = i == 0 ? null : nodes[i - 1];
            nodes[i] = node;
        }

        (var message, var reader) = _pair.Message(NewOrder(nodes, null, nodes[^1]));
        Exception? failure = null;
        Thread thread = new(
            () => failure = Record.Exception(() => Walk(reader.Deserialize<object>(message), 50_000)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    [Fact]
    public void SkippedCollections_OfEveryKind_AreBuiltWhenReferredTo()
    {
        object[] kept =
        [
            new List<object> { 1, "a" }, new Dictionary<string, object>(StringComparer.OrdinalIgnoreCase) { ["K"] = 5 },
            new int[] { 1, 2 }, Tuple.Create(1, "t"), new InvalidOperationException("m"), new Uri("https://example.org/"),
            new object[] { 7 }, (object)8, Guid.Empty, System.Collections.Immutable.ImmutableList.Create<object>("i"),
        ];
        kept[6] = new object[] { kept[0], kept[9] };
        static void Allow(SlimOptions o) => o.Allow<Tuple<int, string>>().Allow<InvalidOperationException>()
            .Allow<System.Collections.Immutable.ImmutableList<object>>();
        _pair.Check(
            NewOrder(kept, null, kept.Reverse().ToArray()),
            back =>
            {
                object[] read = back.Kept;
                Assert.Equal(kept[0], read[9]);
                Assert.Equal(5, ((Dictionary<string, object>)read[8])["k"]);
                Assert.Equal((kept[3], kept[5], 8, Guid.Empty), (read[6], read[4], read[2], read[1]));
                Assert.Equal([1, 2], (int[])read[7]);
                Assert.Equal("m", ((Exception)read[5]).Message);
                Assert.Same(read[9], ((object[])read[3])[0]);
                Assert.Same(read[0], ((object[])read[3])[1]);
            },
            Allow,
            Allow);
    }

    [Fact]
    public void TypeThatTheReaderLacks_IsSkippedInUnknownFields_AndRefusedElsewhere()
    {
        const string Lost = "public class Lost { public int A; public string B; public Lost C; public System.Collections.Generic.List<Lost> D; } "
            + "public struct Gap { public long X; public Lost Y; public Shade Z; } public enum Shade { Light } ";
        VersionPair pair = new(
            Lost + """
            public class Order { public int Id; public Lost A; public object B; public Gap C; public Gap[] D;
            public System.Collections.Generic.Dictionary<string, Gap> E; public Gap? F; public Shade G; public object H; public object Kept; }
            """,
            "public class Order { public int Id; public object Kept; }");
        dynamic lost = pair.Old.Make("Lost");
        (lost.A, lost.B, lost.C) = (1, "b", lost);
        dynamic gap = pair.Old.Make("Gap");
        gap.Y = lost;
        dynamic order = pair.Old.Make("Order");
        (order.Id, order.A, order.B, order.C) = (7, lost, lost, gap);
        order.D = (dynamic)FieldVersionTests.ArrayOf(pair.Old["Gap"], gap, gap);
        (order.F, order.H) = (gap, new object[] { gap, lost, "x" });
        order.Kept = "kept";
        pair.Check((object)order, back => Assert.Equal((7, "kept"), ((int)back.Id, (string)back.Kept)));
        order.Kept = lost;
        Assert.Contains("Lost", pair.Refuses<SlimTypeNotAllowedException>((object)order).Message, StringComparison.Ordinal);
        (order.A, order.B, order.H, order.D) = (null, null, null, null);
        order.C = pair.Old.Make("Gap");
        order.F = null;
        pair.Refuses<SlimTypeNotAllowedException>((object)order);
    }

    [Fact]
    public void Codec_InASkippedField_ReadsItsValue_AndIsNeeded()
    {
        VersionPair pair = new(
            "public class Order { public object Gone; public object Kept; }", "public class Order { public object Kept; }");
        Money money = new() { Text = "five", Any = new List<object> { 1 } };
        dynamic order = pair.Old.Make("Order");
        order.Gone = new object[] { money, new List<object> { 2 }, money };
        order.Kept = order.Gone;
        pair.Check(
            (object)order,
            back =>
            {
                Money read = Assert.IsType<Money>(back.Kept[0]);
                Assert.Equal(("five", 1), (read.Text, Assert.IsType<List<object>>(read.Any)[0]));
                Assert.Same(read, back.Kept[2]);
                Assert.Equal([2], (List<object>)back.Kept[1]);
            },
            o => o.AddCodec(new MoneyCodec()),
            o => o.AddCodec(new MoneyCodec()));
        order.Kept = null;
        Assert.Contains("AddCodec", pair.Refuses<SlimLayoutException>((object)order, o => o.AddCodec(new MoneyCodec())).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Skipping_CountsAgainstTheLimits()
    {
        // More objects than a table keeps room for between messages: growing it is charged.
        dynamic order = NewOrder(Enumerable.Range(0, 20_000).Select(_ => new object()).ToArray(), null, null);
        Assert.Equal(nameof(SlimLimits.MaxGraphBytes), _pair.Refuses<SlimLimitException>(
            (object)order, reading: static o => o.Limits.MaxGraphBytes = 60_000).LimitName);
        order = NewOrder(new string('x', 2000), null, null);
        Assert.Equal(nameof(SlimLimits.MaxStringLength), _pair.Refuses<SlimLimitException>(
            (object)order, reading: static o => o.Limits.MaxStringLength = 1000).LimitName);
        Assert.Equal(nameof(SlimLimits.MaxTypeBytes), _pair.Refuses<SlimLimitException>(
            (object)order, reading: static o => o.Limits.MaxTypeBytes = 20).LimitName);
    }

    private static void Walk(object order, int count)
    {
        dynamic node = ((dynamic)order).Kept;
        for (var i = 1; i < count; i++)
            node = node.Any;
        Assert.Equal(0, (int)node.Number);
    }

    private dynamic NewNode(int number)
    {
        dynamic node = _pair.Old.Make("Node");
        node.Number = number;
        return node;
    }

    private dynamic NewList(params object[] nodes)
    {
        dynamic list = Activator.CreateInstance(typeof(List<>).MakeGenericType(_pair.Old["Node"]))!;
        foreach (var node in nodes)
            list.Add((dynamic)node);
        return list;
    }

    private object NewOrder(object? a, object? b, object? kept)
    {
        dynamic order = _pair.Old.Make("Order");
        (order.A, order.B, order.Kept) = (a, b, kept);
        return order;
    }

    internal sealed class Money
    {
        public string? Text { get; set; }

        public object? Any { get; set; }
    }

    internal sealed class MoneyCodec : SlimCodec<Money>
    {
        public override void Write(SlimWriter writer, Money value) => writer.Write(value.Text);

        public override Money Create(SlimReader reader) => new() { Text = reader.Read<string>() };

        public override void WriteContent(SlimWriter writer, Money value) => writer.Write(value.Any);

        public override void ReadContent(SlimReader reader, Money value) => value.Any = reader.Read<object>();
    }
}
