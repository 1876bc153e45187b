using System.Text.Json;
using System.Text.Json.Nodes;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>What somebody has put into an exception never keeps the exception from its way.</summary>
[Trait("Case", "repair-C5")]
public sealed class ExceptionDataTests
{
    private readonly SlimSerializer _slim = new(
        new SlimOptions().Allow<Key>().Allow<Key[]>().Allow<Dictionary<Key, int>>().Allow<AnyCase>());

    [Fact]
    public void Keys_OfAnyCarriedType_ComeBackInTheirOrder()
    {
        InvalidOperationException error = new("m");
        error.Data["text"] = 1;
        error.Data[5] = "five";
        error.Data[new Key("k", 2)] = "own";
        error.Data[(1, "pair")] = null;
        error.Data[DayOfWeek.Friday] = "day";
        SlimSerializer slim = new(new SlimOptions().Allow<Key>().Allow<(int, string)>().Allow<DayOfWeek>());
        var back = slim.DeepClone(slim.DeepClone<Exception>(error));
        Assert.Equal(error.Data.Keys.Cast<object>(), back.Data.Keys.Cast<object>());
        Assert.Equal(error.Data.Values.Cast<object?>(), back.Data.Values.Cast<object?>());
        Assert.Equal("own", back.Data[new Key("k", 2)]);
    }

    /// <summary>Whether a key with a hash function of a user can be found is proven by writing and reading it, and the
    /// proof meets the exception once more.</summary>
    [Fact]
    public void Data_ThatRefersToItsException_AndNeedsAProof_ComesBack()
    {
        InvalidOperationException error = new("m");
        error.Data["cycle"] = new object[] { error, new Dictionary<Key, int>(new AnyCase()) { [new Key("a", 1)] = 2 } };
        error.Data[new Key("k", 1)] = new List<object> { error };
        var back = _slim.DeepClone<Exception>(error);
        var cycle = Assert.IsType<object[]>(back.Data["cycle"]);
        Assert.Same(back, cycle[0]);
        Assert.Equal(2, Assert.IsType<Dictionary<Key, int>>(cycle[1])[new Key("a", 1)]);
        Assert.Same(back, Assert.Single(Assert.IsType<List<object>>(back.Data[new Key("k", 1)])));
    }

    [Fact]
    public void Key_ThatIsNotCarried_IsLeftOutWithItsTextInItsPlace()
    {
        InvalidOperationException error = new("m");
        error.Data[new Stranger("one")] = 1;
        error.Data[new Stranger("one")] = 2;
        error.Data["one"] = 3;
        error.Data[new MemoryStream()] = 4;
        var back = _slim.DeepClone<Exception>(error);
        Assert.Equal(["one (2)", "one (3)", "one", "System.IO.MemoryStream"], back.Data.Keys.Cast<string>());
        Assert.Equal([1, 2, 3, 4], back.Data.Values.Cast<int>());
        Assert.Equal("m", back.Message);
    }

    [Fact]
    public void Value_ThatIsNotCarried_TravelsAsItsText_HoweverDeepTheReasonLies()
    {
        InvalidOperationException error = new("m", new TimeoutException("in"));
        error.Data["stream"] = new MemoryStream();
        error.Data["stranger"] = new Stranger("text of it");
        error.Data["list"] = new List<object> { 1, new List<object> { new MemoryStream() } };
        error.Data["good"] = new List<object> { 1, new Key("k", 3) };
        error.InnerException!.Data["inner"] = new Stranger("inner text");
        var back = _slim.DeepClone<Exception>(error);
        Assert.Equal("System.IO.MemoryStream", back.Data["stream"]);
        Assert.Equal("text of it", back.Data["stranger"]);
        Assert.Equal(error.Data["list"]!.ToString(), back.Data["list"]);
        Assert.Equal([1, new Key("k", 3)], Assert.IsType<List<object>>(back.Data["good"]));
        Assert.Equal("inner text", back.InnerException!.Data["inner"]);
    }

    [Fact]
    public void Value_ThatWouldOverflowTheStackInItsText_IsNamedByItsType()
    {
        Ring ring = new();
        ring.Self = ring;
        InvalidOperationException error = new("m");
        error.Data["ring"] = ring;
        error.Data["failing"] = new Failing();
        var back = _slim.DeepClone<Exception>(error);
        Assert.Equal(typeof(Ring).ToString(), back.Data["ring"]);
        Assert.Equal(typeof(Failing).ToString(), back.Data["failing"]);
    }

    [Fact]
    public void Exceptions_InEachOthersData_KeepWhoTheyAre_WithWhatIsNotCarriedBesideThem()
    {
        InvalidOperationException first = new("first");
        TimeoutException second = new("second");
        first.Data["stream"] = new MemoryStream();
        first.Data["second"] = second;
        first.Data["self"] = first;
        second.Data["first"] = first;
        var back = _slim.DeepClone<Exception>(first);
        Exception other = Assert.IsType<TimeoutException>(back.Data["second"]);
        Assert.Same(back, back.Data["self"]);
        Assert.Same(back, other.Data["first"]);
    }

    [Fact]
    public void Exceptions_InDataOfExceptions_ManyLevelsDeep_NeitherOverflowNorTakeLong()
    {
        Exception error = new TimeoutException("0");
        for (var i = 1; i < 20_000; i++)
        {
            InvalidOperationException outer = new("m");
            outer.Data["inner"] = error;
            error = outer;
        }

        Exception? back = null;
        Thread thread = new(() => back = _slim.DeepClone(error), 512 * 1024);
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromSeconds(60)), "It took longer than a minute.");
        var count = 1;
        while (back!.Data["inner"] is Exception inner)
            (back, count) = (inner, count + 1);
        Assert.Equal(20_000, count);
    }

    [Theory]
    [InlineData(94)]
    [InlineData(95)]
    [InlineData(96)]
    [InlineData(97)]
    public void Children_OnTheLevelWhereBodiesWait_AreThere(int depth)
    {
        Exception error = new AggregateException("m", new TimeoutException("a"), new FormatException("b"));
        error.Data[new Key("k", 1)] = 2;
        for (var i = 1; i < depth; i++)
            error = new InvalidOperationException("m", error);
        var back = _slim.DeepClone(error);
        for (var i = 1; i < depth; i++)
            back = back.InnerException!;
        Assert.Equal(["a", "b"], Assert.IsType<AggregateException>(back).InnerExceptions.Select(static e => e.Message));
        Assert.Equal(2, back.Data[new Key("k", 1)]);
    }

    [Fact]
    public void ReflectionTypeLoadException_ComesBackWhole()
    {
        ReflectionTypeLoadException error = new(
            [typeof(int), null, typeof(Stranger)], [new TimeoutException("why"), null], "text");
        var back = (ReflectionTypeLoadException)new SlimSerializer().DeepClone<Exception>(error);
        Assert.Equal(error.Message, back.Message);
        Assert.Equal([typeof(int), null, null], back.Types);
        Assert.Equal(["why", null], back.LoaderExceptions.Select(static e => e?.Message));
        back = new SlimSerializer(new SlimOptions().Allow<Stranger>()).DeepClone(error);
        Assert.Equal(error.Types, back.Types);
    }

    [Fact]
    public void JsonExceptions_ComeBackWhole()
    {
        JsonException[] errors =
        [
            new("text", "$.a;b", 3, 14, new TimeoutException("in")), new("text", null, null, 5), new("text"), new(),
            (JsonException)Record.Exception(static () => JsonNode.Parse("{\"a\": [1,,]}"))!,
            (JsonException)Record.Exception(static () => JsonSerializer.Deserialize<int[]>("[1, true]"))!,
        ];
        foreach (var error in errors)
        {
            var back = (JsonException)new SlimSerializer().DeepClone<Exception>(error);
            Assert.IsType(error.GetType(), back);
            Assert.Equal(
                (error.Message, error.Path, error.LineNumber, error.BytePositionInLine, error.InnerException?.Message),
                (back.Message, back.Path, back.LineNumber, back.BytePositionInLine, back.InnerException?.Message));
        }
    }

    private sealed record Key(string Name, int Number);

    private sealed class Stranger(string text)
    {
        public override string ToString() => text;
    }

    private sealed record Ring
    {
        public Ring? Self { get; set; }
    }

    private sealed class Failing
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }

    private sealed class AnyCase : IEqualityComparer<Key>
    {
        public bool Equals(Key? x, Key? y) => StringComparer.OrdinalIgnoreCase.Equals(x?.ToString(), y?.ToString());

        public int GetHashCode(Key obj) => StringComparer.OrdinalIgnoreCase.GetHashCode(obj.ToString()!);
    }
}
