using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Format;

/// <summary>What bytes do not depend on. The golden files do the rest: every process hashes strings with another seed,
/// and they are written and read in each.</summary>
[Trait("Case", "slim-N")]
public sealed class DeterminismTests
{
    private const string EnvironmentVariable = "CLUSTER_SLIM_ENVIRONMENT";
    private const string Source = "public class Sample { public int B = 1; public string C = \"c\"; public long A = 2; }";
    private const string Shuffled =
        "public class Sample { public long A = 2; public static int S; public string C = \"c\"; public int B = 1; }";

    [Fact]
    public void SameGraph_WrittenByManySerializers_GivesTheSameBytes()
    {
        var expected = new SlimSerializer().Serialize(Security.Corpus.Graph());
        for (var i = 0; i < 5; i++)
        {
            SlimSerializer slim = new();
            Assert.Equal(expected, slim.Serialize(Security.Corpus.Graph()));
            Assert.Equal(expected, slim.Serialize(Security.Corpus.Graph()));
            Assert.Equal(expected, slim.Serialize(slim.DeepClone(Security.Corpus.Graph())));
        }
    }

    [Theory]
    [InlineData("tr-TR")]
    [InlineData("ar-SA")]
    [InlineData("fa-IR")]
    [InlineData("sv-SE")]
    public void Bytes_InAnyCulture_AreTheSame(string culture)
    {
        var before = CultureInfo.CurrentCulture;
        var expected = GoldenFamilies.All.ToDictionary(p => p.Key, p => p.Value.Write());
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(culture);
        try
        {
            foreach ((var name, (var write, var check)) in GoldenFamilies.All)
            {
                Assert.Equal(expected[name], write());
                check(expected[name]);
            }

            SlimSerializer canonical = new(new SlimOptions { Canonical = true });
            Assert.Equal(
                canonical.Serialize<HashSet<string>>(["i", "I", "ı", "İ", "z", "ä"]),
                canonical.Serialize<HashSet<string>>(["ä", "z", "İ", "ı", "I", "i"]));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void OrderOfFields_InTheSource_DoesNotMatter()
    {
        TypeVersion one = new("OrderSample", Source);
        TypeVersion other = new("OrderSample", Shuffled);
        var message = TypeVersion.Write(one.New("Sample"));
        Assert.Equal(message, TypeVersion.Write(other.New("Sample")));
        var back = TypeVersion.Read(new SlimOptions(), message, other["Sample"])!;
        Assert.Equal((2L, 1, "c"), (TypeVersion.Get(back, "A"), TypeVersion.Get(back, "B"), TypeVersion.Get(back, "C")));
    }

    [Fact]
    public void OrderInWhichReflectionSawTheFields_DoesNotMatter()
    {
        TypeVersion one = new("OrderSample", Source);
        TypeVersion other = new("OrderSample", Source);
        foreach (var field in (string[])["C", "A", "B"])
            Assert.NotNull(other["Sample"].GetField(field));
        Assert.Equal(TypeVersion.Write(one.New("Sample")), TypeVersion.Write(other.New("Sample")));
    }

    [Fact]
    public void HashCodes_OfUsers_DoNotMatter()
    {
        SlimSerializer slim = new();
        Moody.Hash = 1;
        var expected = slim.Serialize(Moody.Graph());
        Moody.Hash = 2;
        Assert.Equal(expected, slim.Serialize(Moody.Graph()));
    }

    // The system tests run this case in processes of other cultures and time zones, and tell here which those are.
    [Fact]
    public void Process_OfTheTests_IsInTheEnvironmentItWasToldOf()
    {
        var actual = $"{CultureInfo.CurrentCulture.Name} {TimeZoneInfo.Local.Id}";
        Assert.Equal(Environment.GetEnvironmentVariable(EnvironmentVariable) ?? actual, actual);
    }

    private sealed class Moody
    {
        public static int Hash { get; set; }

        public int Number { get; init; }

        public static List<Moody>[] Graph()
        {
            Moody one = new() { Number = 1 };
            Moody two = new() { Number = 2 };
            return [[one, two], [two, one]];
        }

        public override bool Equals(object? obj) => obj is Moody other && other.Number == Number;

        public override int GetHashCode() => Hash;
    }
}
