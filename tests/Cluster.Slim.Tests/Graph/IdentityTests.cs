using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Graph;

/// <summary>Who is whose same: sharing, cycles and boxes, within one message and never beyond it.</summary>
[Trait("Case", "slim-D")]
public sealed class IdentityTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void SharedObject_HoweverOften_IsOneAgain()
    {
        Node shared = new();
        List<Node> list = [shared, shared, new(), shared, shared, shared];
        RoundTripMatrix.Check(list, back =>
        {
            Assert.Equal(2, back.Distinct(ReferenceEqualityComparer.Instance).Count());
            Assert.NotSame(back[0], back[2]);
            Assert.Same(back[0], back[5]);
        });
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(500)]
    public void Ring_OfAnyLength_ClosesAgain(int length)
    {
        Node first = new() { Number = 0 };
        var last = first;
        for (var i = 1; i < length; i++)
            last = last.Left = new Node { Number = i };
        last.Left = first;
        RoundTripMatrix.Check(first, back =>
        {
            var node = back;
            for (var i = 0; i < length; i++, node = node.Left!)
                Assert.Equal(i, node.Number);
            Assert.Same(back, node);
        });
    }

    [Fact]
    public void NodeThatIsItsOwnChildren_StaysThat()
    {
        Node node = new();
        node.Left = node.Right = node;
        node.Any = node;
        RoundTripMatrix.Check(node, back =>
        {
            Assert.Same(back, back.Left);
            Assert.Same(back, back.Right);
            Assert.Same(back, back.Any);
        });
    }

    [Fact]
    public void ParentsAndChildren_ReferToEachOther()
    {
        Parent parent = new();
        parent.Children.AddRange([new Child(parent), new Child(parent)]);
        RoundTripMatrix.Check(parent, back => Assert.All(back.Children, child => Assert.Same(back, child.Parent)));
    }

    [Fact]
    public void Dictionaries_ShareValuesAndComparer()
    {
        var comparer = StringComparer.Create(System.Globalization.CultureInfo.GetCultureInfo("tr-TR"), true);
        Node value = new();
        Dictionary<string, Node>[] maps = [new(comparer) { ["a"] = value }, new(comparer) { ["A"] = value }];
        RoundTripMatrix.Check(maps, back =>
        {
            Assert.Same(back[0]["A"], back[1]["a"]);
            Assert.Equal(back[0].Comparer, back[1].Comparer);
        });
    }

    [Fact]
    public void EqualObjects_StayDistinct_WhateverTheirEqualsSays()
    {
        Line line = new("a");
        RoundTripMatrix.Check(new[] { line, new Line("a"), line }, back =>
        {
            Assert.NotSame(back[0], back[1]);
            Assert.Same(back[0], back[2]);
        });
        RoundTripMatrix.Check(new[] { new Alike { Number = 1 }, new Alike { Number = 2 } }, back =>
            Assert.Equal((1, 2), (back[0].Number, back[1].Number)));
        RoundTripMatrix.Check(new[] { new Silent { Number = 1 }, new Silent { Number = 2 } }, back =>
            Assert.Equal((1, 2), (back[0].Number, back[1].Number)));
    }

    [Fact]
    public void BoxReferredToTwice_IsOneBoxAgain_AndEqualBoxesAreTwo()
    {
        object box = new Point(3, 4);
        Boxes source = new() { First = box, Second = box, Third = new Point(3, 4), Declared = new Point(1, 1) };
        source.Number = source.SameNumber = 5;
        RoundTripMatrix.Check(source, back =>
        {
            Assert.Equal(new Point(3, 4), back.First);
            Assert.Same(back.First, back.Second);
            Assert.NotSame(back.First, back.Third);
            Assert.Same(back.Number, back.SameNumber);
        });
    }

    [Fact]
    public void Box_WhoseValueRefersToIt_ComesBackAsCycle()
    {
        var link = new object[1];
        object box = new SelfBox { Link = link };
        link[0] = box;
        RoundTripMatrix.Check(new SelfHolder { Box = box, Declared = new SelfBox() }, back =>
            Assert.Same(back.Box, ((SelfBox)back.Box!).Link![0]));
    }

    // Whether two strings are one object is nothing a program may build on; so bytes do not depend on interning.
    [Fact]
    public void Strings_AreSharedByValueOrNotAtAll()
    {
        string text = new('x', 3);
        Assert.Equal(_slim.Serialize(new[] { text, text }), _slim.Serialize(new[] { text, new string('x', 3) }));
    }

    [Fact]
    public void Roots_OfOneMessage_ShareIdentity_AndMessagesDoNot()
    {
        Node node = new() { Number = 5 };
        var roots = Roots(node, null, 7, new Parent { Node = node }, node);
        Assert.Same(roots[0], ((Parent)roots[3]!).Node);
        Assert.Same(roots[0], roots[4]);
        Assert.Equal((null, 7), (roots[1], roots[2]));

        using var writer = _slim.OpenWriterSession();
        using var reader = _slim.OpenReaderSession();
        var back = new Node?[2];
        for (var i = 0; i < 2; i++)
        {
            ArrayBufferWriter<byte> output = new();
            writer.Serialize(output, node);
            writer.Commit();
            back[i] = reader.Deserialize<Node>(output.WrittenSpan);
        }

        Assert.NotSame(back[0], back[1]);
        Assert.Equal(5, back[1]!.Number);
    }

    private object?[] Roots(params object?[] roots)
    {
        ArrayBufferWriter<byte> output = new();
        _slim.SerializeRoots(output, roots);
        return _slim.DeserializeRoots(
            new(output.WrittenMemory), [.. roots.Select(root => root?.GetType() ?? typeof(object))]);
    }

    private sealed class Node
    {
        public int Number;
        public Node? Left;
        public Node? Right;
        public object? Any;
    }

    private sealed class Parent
    {
        public Node? Node;

        public List<Child> Children { get; } = [];
    }

    private sealed record Child(Parent Parent);

    private sealed record Line(string Text);

    private sealed class Alike
    {
        public int Number;

        public override bool Equals(object? obj) => true;

        public override int GetHashCode() => 1;
    }

    private sealed class Silent
    {
        public int Number;

        public override bool Equals(object? obj) => throw new InvalidOperationException("equals");

        public override int GetHashCode() => throw new InvalidOperationException("hash");
    }

    private readonly record struct Point(int X, double Y);

    private sealed class Boxes
    {
        public object? First;
        public object? Second;
        public object? Third;
        public object? Number;
        public object? SameNumber;
        public Point Declared;
    }

    private struct SelfBox
    {
        public object[]? Link;
    }

    private sealed class SelfHolder
    {
        public object? Box;
        public SelfBox? Declared;
    }
}
