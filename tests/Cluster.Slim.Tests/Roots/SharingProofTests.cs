using Cluster.Slim.Hosting;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Tests.Roots;

/// <summary>Only graphs in which nothing can be shared go without tables, and nobody can tell from the bytes.</summary>
public sealed class SharingProofTests
{
    private static readonly int[] Numbers = [1, 2];

    [Theory]
    [InlineData(typeof(Flat))]
    [InlineData(typeof(Nested))]
    [InlineData(typeof(Unsealed))]
    [InlineData(typeof(string))]
    [InlineData(typeof(int[]))]
    [InlineData(typeof(string[]))]
    [InlineData(typeof(List<Pair>))]
    public void OnePlacePerType_ExcludesSharing(Type type) => Assert.True(Excludes(type, new SlimOptions()));

    [Theory]
    [InlineData(typeof(Twins))]
    [InlineData(typeof(Ring))]
    [InlineData(typeof(object))]
    [InlineData(typeof(AnyField))]
    [InlineData(typeof(Flat[]))]
    [InlineData(typeof(List<Flat>))]
    [InlineData(typeof(int[][]))]
    [InlineData(typeof(Covariant))]
    [InlineData(typeof(BaseAndDerived))]
    [InlineData(typeof(Structs))]
    [InlineData(typeof(Dictionary<string, Flat>))]
    [InlineData(typeof(IEnumerable<int>))]
    public void OtherShapes_DoNot(Type type) => Assert.False(Excludes(type, new SlimOptions()));

    [Theory]
    [Trait("Case", "repair-E")]
    [InlineData(typeof(Flat[]), typeof(Flat))]
    [InlineData(typeof(List<Flat>), typeof(Flat))]
    [InlineData(typeof(TwoLists), typeof(Flat), typeof(Small))]
    public void ElementsOfOneList_AreAlone(Type type, params Type[] elements) =>
        Assert.Equal(elements, LoneElementsOf(type));

    [Theory]
    [Trait("Case", "repair-E")]
    [InlineData(typeof(List<Unsealed>))]
    [InlineData(typeof(List<Nested>))]
    [InlineData(typeof(List<List<Flat>>))]
    [InlineData(typeof(List<Flat[]>))]
    [InlineData(typeof(List<ImmutableArray<Flat>>))]
    [InlineData(typeof(ImmutableArray<Flat>[]))]
    [InlineData(typeof(Queue<Flat>))]
    [InlineData(typeof(HashSet<Flat>))]
    [InlineData(typeof(Dictionary<string, Flat>))]
    [InlineData(typeof(List<(Flat, int)>))]
    [InlineData(typeof(ListAndOne))]
    [InlineData(typeof(ListAndOther))]
    [InlineData(typeof(ListAndAny))]
    [InlineData(typeof(ListAndBase))]
    [InlineData(typeof(int[]))]
    public void ElementsThatOtherPlacesCanHold_AreNot(Type type) => Assert.Null(LoneElementsOf(type));

    [Fact]
    public void UnsealedClass_OfAnOpenProfile_DoesNot()
    {
        Assert.False(Excludes(typeof(Outer), new SlimOptions { Profile = SlimProfile.Trusted }));
        Assert.True(Excludes(typeof(Nested), new SlimOptions { Profile = SlimProfile.Trusted }));
        Assert.True(Excludes(typeof(Outer), new SlimOptions()));
    }

    [Fact]
    public void SubtypeThatIsAllowed_MayBeShared() =>
        Assert.False(Excludes(typeof(ListHolder), new SlimOptions().Allow<NumberList>()));

    [Fact]
    public void SubtypeThatIsNotAllowed_CannotOccur() => Assert.True(Excludes(typeof(ListHolder), new SlimOptions()));

    [Fact]
    public void Messages_HaveTheSameBytes_AsThoseThatRemember()
    {
        CheckSameBytes(new Flat { Name = "a" });
        CheckSameBytes(new Nested { Inner = new Flat { Name = "b" }, Numbers = Numbers, Names = ["x", null!] });
        CheckSameBytes(new Nested());
        CheckSameBytes(Numbers);
        CheckSameBytes(new List<Pair> { new(1, "one"), new(2, null) });
    }

    [Fact]
    public void ArrayOfOtherIntegers_SharedByTwoPlaces_StaysShared()
    {
        Covariant value = new() { Signed = Numbers, Unsigned = (uint[])(object)Numbers };
        SlimSerializer slim = new();
        for (var i = 0; i < 2; i++)
        {
            var back = slim.DeepClone(value);
            Assert.Same(back.Signed, back.Unsigned);
        }
    }

    [Fact]
    public void ReferenceInAMessageThatHasNone_IsRefused()
    {
        SlimSerializer slim = new();
        Nested value = new() { Inner = new Flat() };
        var message = slim.Serialize(value);
        var heads = message.Length - slim.Serialize(new Nested()).Length;
        Assert.NotEqual(0, heads);
        var forged = slim.Serialize(new Nested());
        Assert.Equal(0, forged[^1]);
        forged[^1] = 3;
        Assert.Throws<SlimMalformedException>(() => slim.Deserialize<Nested>(forged));
    }

    private static bool Excludes(Type type, SlimOptions options)
    {
        SlimSerializer slim = new(options);
        var allowed = slim.Engine.Roots.Of(type).Allowed;
        return new SharingProof(allowed).Excludes(slim.Engine.Serializers.Layouts.Of(type));
    }

    private static Type[]? LoneElementsOf(Type type)
    {
        SlimSerializer slim = new();
        SharingProof proof = new(slim.Engine.Roots.Of(type).Allowed);
        proof.Excludes(slim.Engine.Serializers.Layouts.Of(type));
        return proof.LoneElements;
    }

    private static void CheckSameBytes<T>(T value)
    {
        SlimSerializer slim = new();
        var first = slim.Serialize(value);
        Assert.True(slim.Engine.Roots.Of<T>().Lead!.IsShareless);
        Assert.Equal(first, slim.Serialize(value));
        SlimMessageWriter remembering = new(slim);
        ArrayBufferWriter<byte> output = new();
        remembering.Begin(output);
        remembering.Write(value);
        remembering.Complete();
        Assert.Equal(first, output.WrittenSpan.ToArray());
        Assert.Equal(first, slim.Serialize(slim.Deserialize<T>(first)));
    }

    private readonly record struct Pair(int Number, string? Name);

    private sealed class Flat
    {
        public string? Name { get; set; }

        public DateTime Time { get; set; }
    }

    private sealed class Nested
    {
        public Flat? Inner { get; set; }

        public int[]? Numbers { get; set; }

        public string[]? Names { get; set; }

        public Pair? Pair { get; set; }
    }

    public sealed class Outer
    {
        public Unsealed? Inner { get; set; }
    }

    public class Unsealed
    {
        public int Number { get; set; }
    }

    private sealed class ListHolder
    {
        public List<int>? Numbers { get; set; }
    }

    private sealed class NumberList : List<int>;

    private sealed class Small
    {
        public int Number { get; set; }
    }

    private sealed class TwoLists
    {
        public List<Flat>? Flats { get; set; }

        public Small[]? Smalls { get; set; }
    }

    private sealed class ListAndOne
    {
        public List<Flat>? Flats { get; set; }

        public Flat? One { get; set; }
    }

    private sealed class ListAndOther
    {
        public List<Flat>? Flats { get; set; }

        public Flat[]? Others { get; set; }
    }

    private sealed class ListAndAny
    {
        public List<Flat>? Flats { get; set; }

        public object? Any { get; set; }
    }

    private sealed class ListAndBase
    {
        public List<Dog>? Dogs { get; set; }

        public Animal? Animal { get; set; }
    }

    private sealed class Twins
    {
        public Flat? One { get; set; }

        public Flat? Other { get; set; }
    }

    private sealed class Ring
    {
        public Ring? Next { get; set; }
    }

    private sealed class AnyField
    {
        public object? Any { get; set; }
    }

    private sealed class Covariant
    {
        public int[]? Signed { get; set; }

        public uint[]? Unsigned { get; set; }
    }

    private class Animal
    {
        public int Legs { get; set; }
    }

    private sealed class Dog : Animal;

    private sealed class BaseAndDerived
    {
        public Animal? Animal { get; set; }

        public Dog? Dog { get; set; }
    }

    private sealed class Structs
    {
        public (Flat? First, Flat? Second) Both { get; set; }
    }
}
