using System.Dynamic;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests;

/// <summary>Acceptance case I: what of a type travels, and that none of its code runs.</summary>
[Trait("Case", "slim-I")]
public sealed class ConstructionTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void ConstructorsAndInitialisers_AreNotRun()
    {
        Counting source = new(5);
        var before = Counting.Constructed;
        var back = _slim.DeepClone(source);
        Assert.Equal(before, Counting.Constructed);
        Assert.Equal(5, back.Value);
        Assert.Equal(0, _slim.DeepClone(new WithIgnored { Kept = 1 }).Automatic);
    }

    [Fact]
    public void Records_PositionalInheritingAndEmpty_ComeBack()
    {
        RoundTripMatrix.CheckEqual(new Named("n"));
        RoundTripMatrix.CheckEqual<Named>(new Priced("n", 1.5m) { Note = "x" });
        RoundTripMatrix.CheckEqual<Layered>(new Layered.Leaf());
        Priced price = new("n", 1m) { Note = "x" };
        Assert.Equal(price with { Price = 2m }, _slim.DeepClone(price) with { Price = 2m });
        RoundTripMatrix.CheckEqual(new Pair<int, Named>(1, new Named("p")));
    }

    [Fact]
    public void InitRequiredAndCapturedParameters_ComeBack()
    {
        var back = _slim.DeepClone(new Modern(3) { Required = "r", Once = 4 });
        Assert.Equal(("r", 4, 6), (back.Required, back.Once, back.Doubled()));
    }

    [Fact]
    public void AnonymousTypes_ComeBack()
    {
        var source = new
        {
            A = 1, B = "b", C = 2.5, D = 'd', E = (int?)null, F = new[] { 1 }, G = true, H = new Named("h"),
        };
        var back = _slim.DeepClone(source);
        Assert.Equal((1, "b", 2.5, 'd', null, true), (back.A, back.B, back.C, back.D, back.E, back.G));
        Assert.Equal(new Named("h"), back.H);
        Assert.Equal(source.F, back.F);
    }

    [Fact]
    public void Closures_AreObjectsLikeOthers_ButTheirDelegatesAreRefused()
    {
        var function = CountingFrom(41);
        var closure = function.Target!;
        var back = new SlimSerializer(new SlimOptions().Allow(closure.GetType())).DeepClone(closure);
        Assert.Equal(42, function.Method.Invoke(back, null));
        Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(new Holder { Value = function }));
    }

    [Fact]
    public void IgnoredFields_KeepTheirDefault_AndStaticOnesTheirValue()
    {
        WithIgnored.Shared = 7;
        var message = _slim.Serialize(new WithIgnored { Kept = 1, Ignored = 2, Automatic = 3, Volatile = 4 });
        WithIgnored.Shared = 8;
        var back = _slim.Deserialize<WithIgnored>(message);
        Assert.Equal((1, 0, 0, 4, 8), (back.Kept, back.Ignored, back.Automatic, back.Volatile, WithIgnored.Shared));
    }

    [Fact]
    public void Events_WithoutSubscribers_Pass_WithOnesAreRefused_UnlessIgnored()
    {
        WithEvents source = new();
        source.Ignored += static (_, _) => { };
        Assert.NotNull(_slim.DeepClone(source));
        source.Changed += static (_, _) => { };
        var error =
            Assert.Throws<SlimTypeNotSupportedException>(() => _slim.Serialize(source));
        Assert.Equal("WithEvents.Changed", error.MemberPath);
    }

    [Fact]
    public void ChainOfThree_WithReadonlyAndHiddenFields_KeepsEachOfThem()
    {
        var back = (Top)_slim.DeepClone<Bottom>(new Top(1, 2, 3));
        Assert.Equal((1, 2, 3), (back.OfBottom, back.OfMiddle, back.OfTop));
    }

    [Fact]
    public void TypesNestedInGenericOnes_AndWithoutNamespace_ComeBack()
    {
        Outer<int>.Inner<string> inner = new() { First = 1, Second = "s" };
        RoundTripMatrix.Check(inner, back => Assert.Equal((1, "s"), (back.First, back.Second)));
        RoundTripMatrix.Check(new TypeWithoutNamespace { Value = 5 }, back => Assert.Equal(5, back.Value));
    }

    [Fact]
    public void DynamicMembers_ComeBack()
    {
        dynamic source = new ExpandoObject();
        source.Nested = new ExpandoObject();
        source.Nested.Name = "n";
        source.Self = source;
        SlimSerializer slim = new(new SlimOptions().Allow<ExpandoObject>());
        dynamic back = slim.DeepClone<object>((object)source);
        Assert.Equal("n", (string)back.Nested.Name);
        Assert.Same((object)back, (object)back.Self);
    }

    [Fact]
    public void CollectionExpressions_BehindInterfaces_BecomeReadOnlyCollections()
    {
        var back = _slim.DeepClone(
            new Lists { Many = [1, 2, 3], One = [4], None = [], Spread = [.. Enumerable.Range(5, 2)] });
        Assert.Equal([1, 2, 3], back.Many);
        Assert.Equal([4], back.One);
        Assert.Empty(back.None);
        Assert.Equal([5, 6], back.Spread);
        Assert.Throws<NotSupportedException>(() => ((IList<int>)back.Many).Add(1));
        RoundTripMatrix.Check(new Lists { Many = [1, 2] }, copy => Assert.Equal([1, 2], copy.Many));
    }

    private static Func<int> CountingFrom(int captured) => () => ++captured;

    private sealed class Holder
    {
        public object? Value;
    }

    private sealed class Lists
    {
        public IReadOnlyList<int> Many = [];
        public IEnumerable<int> One = [];
        public IReadOnlyCollection<int> None = [];
        public IEnumerable<int> Spread = [];
    }

    private sealed class Counting
    {
        private readonly int _initialised = Count();

        public Counting(int value) => Value = value + (0 * _initialised);

        public static int Constructed { get; private set; }

        public int Value { get; }

        private static int Count() => ++Constructed;
    }

    private record Named(string Name);

    private sealed record Priced(string Name, decimal Price) : Named(Name)
    {
        public string? Note { get; init; }
    }

    private abstract record Layered
    {
        public abstract record Middle : Layered;

        public sealed record Leaf : Middle;
    }

    private sealed record Pair<TFirst, TSecond>(TFirst First, TSecond Second);

    private sealed class Modern(int captured)
    {
        public required string Required { get; init; }

        public int Once { get; init; }

        public int Doubled() => captured * 2;
    }

    private sealed class WithIgnored
    {
        public static int Shared;
        public int Kept;
        public volatile int Volatile;

        [NonSerialized]
        public int Ignored;

        [field: NonSerialized]
        public int Automatic { get; set; }
    }

    private sealed class WithEvents
    {
        public event EventHandler? Changed;

        [field: NonSerialized]
        public event EventHandler? Ignored;

        public void Raise()
        {
            Changed?.Invoke(this, EventArgs.Empty);
            Ignored?.Invoke(this, EventArgs.Empty);
        }
    }

    private class Bottom(int value)
    {
        private readonly int _value = value;

        public int OfBottom => _value;
    }

    private class Middle(int first, int second) : Bottom(first)
    {
        private readonly int _value = second;

        public int OfMiddle => _value;
    }

    private sealed class Top(int first, int second, int third) : Middle(first, second)
    {
        private readonly int _value = third;

        public int OfTop => _value;
    }

    private sealed class Outer<TFirst>
    {
        public sealed class Inner<TSecond>
        {
            public TFirst First = default!;
            public TSecond Second = default!;
        }
    }
}
