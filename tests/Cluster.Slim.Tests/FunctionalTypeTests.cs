using Cluster.Slim.Tests.Matrix;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;

namespace Cluster.Slim.Tests;

/// <summary>Types of F#: those of its library, and records and unions in the shape its compiler gives them. They are
/// classes like others.</summary>
[Trait("Case", "slim-I")]
public sealed class FunctionalTypeTests
{
    [Fact]
    public void Options_ComeBack() =>
        RoundTripMatrix.CheckEqual(FSharpOption<string>.Some("a"), FSharpOption<string>.None);

    [Fact]
    public void ValueOptionsAndResults_ComeBack()
    {
        RoundTripMatrix.CheckEqual(FSharpValueOption<int>.Some(1), FSharpValueOption<int>.None);
        RoundTripMatrix.CheckEqual(FSharpResult<int, string>.NewOk(1), FSharpResult<int, string>.NewError("e"));
    }

    [Fact]
    public void Lists_ComeBack_AndShareTheirTails()
    {
        var tail = ListModule.OfSeq([2, 3]);
        RoundTripMatrix.CheckEqual(FSharpList<int>.Cons(1, tail), FSharpList<int>.Empty);
        var back = new SlimSerializer().DeepClone(
            (FSharpList<int>[])[FSharpList<int>.Cons(1, tail), tail]);
        Assert.Same(back[1], back[0].Tail);
        var large = ListModule.OfSeq(Enumerable.Range(0, 100_000));
        Assert.Equal(large, (IEnumerable<int>)new SlimSerializer().DeepClone(large));
    }

    [Fact]
    public void Maps_WhoseCallbacksWereAllowed_FindEveryKey()
    {
        FSharpMap<string, int> map = new([Tuple.Create("b", 2), Tuple.Create("a", 1)]);
        Assert.Throws<SlimTypeNotSupportedException>(() => new SlimSerializer().Serialize(map));
        RoundTripMatrix.Check(
            map,
            static back => Assert.Equal((1, 2, 2), (back["a"], back["b"], back.Count)),
            static options => options.AllowCallbacks<FSharpMap<string, int>>());
    }

    [Fact]
    public void Record_AsCompiled_ComesBack() => RoundTripMatrix.Check(
        new Person("ada", 36), static back => Assert.Equal(("ada", 36), (back.Name, back.Age)));

    [Fact]
    public void Union_AsCompiled_KeepsTheCaseAndItsFields()
    {
        RoundTripMatrix.Check<Shape>(new Shape.Circle(2), static back =>
        {
            Assert.True(back.IsCircle);
            Assert.Equal(2, Assert.IsType<Shape.Circle>(back).Radius);
        });
        Shape.Pair nested = new(new Shape.Circle(1), Shape.Nothing);
        RoundTripMatrix.Check<Shape>(nested, static back =>
        {
            var pair = Assert.IsType<Shape.Pair>(back);
            Assert.True(pair.First.IsCircle);
            Assert.Equal(Shape.Tags.Nothing, pair.Second.Tag);
        });
        var shared = new SlimSerializer().DeepClone((Shape[])[nested, nested, Shape.Nothing, Shape.Nothing]);
        Assert.Same(shared[0], shared[1]);
        Assert.Same(shared[2], shared[3]);
    }

    // A case without fields is told by its number, never by its identity, so that a copy of the one object is as good.
    [Fact]
    public void UnionCaseWithoutFields_IsACopyThatIsTheSameCase()
    {
        var back = new SlimSerializer().DeepClone(Shape.Nothing);
        Assert.True(back.IsNothing);
        Assert.NotSame(Shape.Nothing, back);
    }

    private sealed class Person(string name, int age)
    {
        public string Name { get; } = name;

        public int Age { get; } = age;
    }

    private abstract class Shape
    {
        private Shape()
        {
        }

        public static Shape Nothing { get; } = new NothingCase();

        public int Tag => this switch { Pair => Tags.Pair, Circle => Tags.Circle, _ => Tags.Nothing };

        public bool IsNothing => Tag == Tags.Nothing;

        public bool IsCircle => Tag == Tags.Circle;

        public static class Tags
        {
            public const int Nothing = 0;
            public const int Circle = 1;
            public const int Pair = 2;
        }

        public sealed class Circle(double item) : Shape
        {
            private readonly double _item = item;

            public double Radius => _item;
        }

        public sealed class Pair(FunctionalTypeTests.Shape item1, FunctionalTypeTests.Shape item2) : Shape
        {
            private readonly Shape _item1 = item1;
            private readonly Shape _item2 = item2;

            public Shape First => _item1;

            public Shape Second => _item2;
        }

        private sealed class NothingCase : Shape;
    }
}
