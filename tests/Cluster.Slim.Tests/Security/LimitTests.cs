using System.Collections.Specialized;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Tests.Versions;

namespace Cluster.Slim.Tests.Security;

/// <summary>Every limit of <see cref="SlimLimits"/>, exactly: what takes as much as it allows passes, on the first and
/// on a later message, and what takes one more is refused with both figures.</summary>
[Trait("Case", "slim-M")]
public sealed class LimitTests
{
    private static readonly string Ascii = new('x', 100);
    private static readonly string Wide = new('\u4e2d', 101);
    private static readonly byte[] Bytes = new byte[200];
    private static readonly Person Someone = new() { Name = "n", Pet = new Cat(), Any = new Dog() };

    private static readonly Dictionary<string, LimitCase> All = new()
    {
        ["message of a block"] = Of(nameof(SlimLimits.MaxMessageBytes), Bytes, LengthOf),
        ["message of a list"] = Of(
            nameof(SlimLimits.MaxMessageBytes), Enumerable.Range(0, 50).Select(static i => "t" + i).ToList(), LengthOf),
        ["message of objects"] = Of(nameof(SlimLimits.MaxMessageBytes), Someone, LengthOf, isCoded: false),
        ["message of over 64 KiB"] = Of(nameof(SlimLimits.MaxMessageBytes), new long[20_000], LengthOf),
        ["memory of a text"] = Read(nameof(SlimLimits.MaxGraphBytes), Ascii, Rounded(22 + (2 * 100))),
        ["memory of an array"] = Read(nameof(SlimLimits.MaxGraphBytes), Bytes, 24 + 200),
        ["memory of an array of texts"] = Read(
            nameof(SlimLimits.MaxGraphBytes), new[] { Ascii, Wide, null },
            24 + (3 * 8) + Rounded(22 + (2 * 100)) + Rounded(22 + (2 * 101))),
        ["memory of boxes"] = Read(
            nameof(SlimLimits.MaxGraphBytes), new object[] { 1, 2L, Guid.Empty }, 24 + (3 * 8) + 24 + 24 + 32),
        ["text"] = Of(nameof(SlimLimits.MaxStringLength), Ascii, static (_, _) => 100),
        ["wide text"] = Of(nameof(SlimLimits.MaxStringLength), Wide, static (_, _) => 101),
        ["text in a list"] = Of(
            nameof(SlimLimits.MaxStringLength), new List<string> { "a", Wide, Ascii }, static (_, _) => 101),
        ["text as key"] = Of(
            nameof(SlimLimits.MaxStringLength), new Dictionary<string, string> { [Ascii] = "a" }, static (_, _) => 100),
        ["text in an object"] = Of(
            nameof(SlimLimits.MaxStringLength), new Person { Name = Wide }, static (_, _) => 101, isCoded: false),
        ["text in a box"] = Of(nameof(SlimLimits.MaxStringLength), new object[] { Ascii }, static (_, _) => 100),
        ["types"] = Of(nameof(SlimLimits.MaxTypeCount), Someone, static (_, _) => 3, isCoded: false),
        ["types by fingerprint"] = Of(
            nameof(SlimLimits.MaxTypeCount), Someone, static (_, _) => 3, isCoded: false, SlimSchema.Known),
        ["bytes of types"] = Of(
            nameof(SlimLimits.MaxTypeBytes), Someone, static (slim, _) => DescribedBytes(slim), isCoded: false),
        ["bytes of types by fingerprint"] = Of(
            nameof(SlimLimits.MaxTypeBytes), Someone, static (_, _) => 3 * 8, isCoded: false, SlimSchema.Known),
        ["depth of a key"] = Read(
            nameof(SlimLimits.MaxKeyDepth), new Dictionary<Link, int> { [new Link(1, new Link(2, new Link(3, null)))] = 1 }, 3,
            isCoded: false),
        ["entries that are searched"] = Read(nameof(SlimLimits.MaxSearchedEntries), Searched(5), 5, isCoded: false),
        ["depth of JSON"] = Read(
            nameof(SlimLimits.MaxDocumentDepth), JsonNode.Parse("""[1,{"a":[2,[3]]}]"""), 4, isCoded: false),
        ["depth of a document"] = Read(
            nameof(SlimLimits.MaxDocumentDepth), JsonDocument.Parse("[[[]]]").RootElement, 3, isCoded: false),
        ["depth of XML"] = Read(
            nameof(SlimLimits.MaxDocumentDepth), XElement.Parse("<a><b><c/></b><d/></a>"), 2, isCoded: false),
        ["callbacks of reading"] = Read(
            nameof(SlimLimits.MaxCallbackCount), CallbacksOf<AfterRead>(5), 5, isCoded: false),
        ["constructors"] = Of(
            nameof(SlimLimits.MaxCallbackCount), CallbacksOf<Content>(4), static (_, _) => 4, isCoded: false),
        ["callbacks of both sides"] = Of(
            nameof(SlimLimits.MaxCallbackCount), CallbacksOf<Around>(3), static (_, _) => 3, isCoded: false),
    };

    public static TheoryData<string, SlimProfile> Cases
    {
        get
        {
            TheoryData<string, SlimProfile> cases = [];
            foreach ((var name, var limit) in All)
            {
                cases.Add(name, SlimProfile.Contract);
                cases.Add(name, SlimProfile.Trusted);
                if (limit.IsCoded)
                    cases.Add(name, SlimProfile.InProcess);
            }

            return cases;
        }
    }

    [Fact]
    public void EveryLimit_HasACase() => Assert.Equal(
        typeof(SlimLimits).GetProperties().Select(static p => p.Name)
            .Where(static name => name != nameof(SlimLimits.MaxKeyWorkPerByte)).Order(),
        All.Values.Select(static c => c.Limit).Distinct().Order());

    [Theory]
    [MemberData(nameof(Cases))]
    public void Limit_OnWrite_IsExact(string name, SlimProfile profile)
    {
        var limit = All[name];
        var open = New(limit, profile, null);
        var message = limit.Write(open);
        var needed = limit.Needed(open, message);
        var enough = New(limit, profile, needed);
        for (var i = 0; i < 3; i++)
            Assert.Equal(message, limit.Write(enough));
        var less = New(limit, profile, needed - 1);
        for (var i = 0; i < 3; i++)
            CheckRefused(limit.Limit, needed, () => limit.Write(less));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Limit_OnRead_IsExact(string name, SlimProfile profile)
    {
        var limit = All[name];
        var open = New(limit, profile, null);
        var message = limit.Write(open);
        var needed = limit.Needed(open, message);
        var enough = New(limit, profile, needed);
        var less = New(limit, profile, needed - 1);
        for (var i = 0; i < 3; i++)
        {
            limit.Read(enough, message);
            CheckRefused(limit.Limit, needed, () => limit.Read(less, message));
        }
    }

    // Types that an InProcess message numbers are known only to the serializer that wrote it.
    [Theory]
    [InlineData(5, true)]
    [InlineData(4, false)]
    public void Callbacks_InProcess_AreCounted(int limit, bool passes)
    {
        SlimOptions options = new() { Profile = SlimProfile.InProcess, Limits = { MaxCallbackCount = limit } };
        SlimSerializer slim = new(options);
        if (passes)
            Assert.Equal(5, slim.DeepClone(CallbacksOf<AfterRead>(5)).Length);
        else
            CheckRefused(nameof(SlimLimits.MaxCallbackCount), 5, () => slim.Serialize(CallbacksOf<AfterRead>(5)));
    }

    [Fact]
    public void MemoryOfFieldsThatAreSkipped_IsChargedExactly()
    {
        VersionPair pair = new(
            "public class Order { public object Gone; public int Id; }", "public class Order { public int Id; }");
        object[] gone = [.. Enumerable.Range(0, 1000).Select(static _ => new object())];
        var order = pair.Old.New("Order", ("Gone", gone), ("Id", 7));
        long least = 0;
        long most = 1 << 20;
        while (least < most)
        {
            var middle = (least + most) / 2;
            if (Record.Exception(() => ReadWith(middle)) is null)
                most = middle;
            else
                least = middle + 1;
        }

        // What is skipped costs what it takes to remember each object.
        Assert.InRange(least, 1000 * 8, 1000 * 100);
        Assert.Equal(7, ReadWith(least));
        CheckRefused(nameof(SlimLimits.MaxGraphBytes), least, () => ReadWith(least - 1));

        // Threads keep their readers, and a reader keeps some room that it does not pay for again.
        int ReadWith(long limit)
        {
            (var message, var reader) = pair.Message(order, o => o.Limits.MaxGraphBytes = limit);
            var id = 0;
            Exception? error = null;
            Thread thread = new(() => error = Record.Exception(
                () => id = (int)((dynamic)reader.Deserialize<object>(message)).Id));
            thread.Start();
            thread.Join();
            return error is null ? id : throw error;
        }
    }

    [Theory]
    [InlineData(100, true)]
    [InlineData(99, false)]
    public void TextOfFieldsThatAreSkipped_IsBounded(int limit, bool passes)
    {
        VersionPair pair = new(
            "public class Order { public string Gone; public int Id; }", "public class Order { public int Id; }");
        var order = pair.Old.New("Order", ("Gone", Ascii), ("Id", 7));
        (var message, var reader) = pair.Message(order, o => o.Limits.MaxStringLength = limit);
        if (passes)
            Assert.Equal(7, (int)((dynamic)reader.Deserialize<object>(message)).Id);
        else
            CheckRefused(nameof(SlimLimits.MaxStringLength), 100, () => reader.Deserialize<object>(message));
    }

    // Writers and readers are used again; what a refused message described must not count against the next one.
    [Fact]
    public void RefusedDescription_OfTheFirstType_DoesNotCountInTheNextMessage()
    {
        SlimSerializer open = new();
        var big = open.Serialize(new Person { Name = "n" });
        var small = open.Serialize(new Cat());
        var bytesMax = DescribedBytesOf<Person>(open) - 1;
        Assert.InRange(DescribedBytesOf<Cat>(open), 1, bytesMax);
        SlimSerializer less = new(new SlimOptions { Limits = { MaxTypeBytes = bytesMax } });
        for (var i = 0; i < 3; i++)
        {
            CheckRefused(nameof(SlimLimits.MaxTypeBytes), bytesMax + 1, () => less.Serialize(new Person()));
            Assert.Equal(small, less.Serialize(new Cat()));
            CheckRefused(nameof(SlimLimits.MaxTypeBytes), bytesMax + 1, () => less.Deserialize<Person>(big));
            Assert.NotNull(less.Deserialize<Cat>(small));
        }
    }

    [Fact]
    public void MessageByFingerprint_IsReadUnderALimitThatItsDescriptionWouldCross()
    {
        var message = new SlimSerializer(new SlimOptions { Schema = SlimSchema.Known }).Serialize(new Cat());
        SlimSerializer less = new(new SlimOptions { Limits = { MaxTypeBytes = 8 } });
        for (var i = 0; i < 3; i++)
            Assert.NotNull(less.Deserialize<Cat>(message));
    }

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.Trusted)]
    public void NamesOfGenericTypes_NestedSixteenDeep_PassAndSeventeenAreRefused(SlimProfile profile)
    {
        object sixteen = 1;
        for (var i = 0; i < 16; i++)
            sixteen = Boxed(sixteen);
        var seventeen = Boxed(sixteen);
        var options = new SlimOptions { Profile = profile }.Allow(sixteen.GetType());
        SlimSerializer slim = new(options);
        Assert.Equal(sixteen.GetType(), slim.Deserialize<object>(slim.Serialize(sixteen)).GetType());
        SlimSerializer deeper = new(new SlimOptions { Profile = profile }.Allow(seventeen.GetType()));
        var error = Assert.Throws<SlimLimitException>(() => deeper.Serialize(seventeen));
        Assert.Equal("GenericNesting", error.LimitName);
        Assert.Contains("16", error.Message, StringComparison.Ordinal);
    }

    private static void CheckRefused(string limit, long needed, Action call)
    {
        var error = Assert.Throws<SlimLimitException>(call);
        Assert.Equal(limit, error.LimitName);
        var figures = $"{needed} is over the limit SlimLimits.{limit} = {needed - 1}.";
        Assert.Contains(figures, error.Message, StringComparison.Ordinal);
    }

    private static LimitCase Of<T>(
        string limit,
        T value,
        Func<SlimSerializer, byte[], long> needed,
        bool isCoded = true,
        SlimSchema schema = SlimSchema.Full) => new(
        limit,
        slim => slim.Serialize(value),
        static (slim, message) => Assert.NotNull(slim.Deserialize<T>(message)),
        needed,
        isCoded,
        schema);

    private static LimitCase Read<T>(string limit, T value, long needed, bool isCoded = true) =>
        Of(limit, value, (_, _) => needed, isCoded);

    private static SlimSerializer New(LimitCase limit, SlimProfile profile, long? allowed)
    {
        var options = new SlimOptions { Profile = profile, Schema = limit.Schema }
            .AllowCallbacks<AfterRead>().AllowCallbacks<Content>().AllowCallbacks<Around>();
        if (allowed is { } value)
        {
            var property = typeof(SlimLimits).GetProperty(limit.Limit)!;
            property.SetValue(
                options.Limits, Convert.ChangeType(value, property.PropertyType, CultureInfo.InvariantCulture));
        }

        return new SlimSerializer(options);
    }

    private static long LengthOf(SlimSerializer slim, byte[] message) => message.Length;

    private static long DescribedBytes(SlimSerializer slim) =>
        DescribedBytesOf<Person>(slim) + DescribedBytesOf<Cat>(slim) + DescribedBytesOf<Dog>(slim);

    private static int DescribedBytesOf<T>(SlimSerializer slim) => 8 + slim.Engine.Serializers.Describe(typeof(T)).Length;

    private static long Rounded(long bytes) => (bytes + 7) & ~7L;

    private static T[] CallbacksOf<T>(int count)
        where T : new() => [.. Enumerable.Range(0, count).Select(static _ => new T())];

    private static ListDictionary Searched(int count)
    {
        ListDictionary entries = [];
        for (var i = 0; i < count; i++)
            entries.Add(i, null);
        return entries;
    }

    private static object Boxed(object value) =>
        Activator.CreateInstance(typeof(Box<>).MakeGenericType(value.GetType()), value)!;

    private sealed record LimitCase(
        string Limit,
        Func<SlimSerializer, byte[]> Write,
        Action<SlimSerializer, byte[]> Read,
        Func<SlimSerializer, byte[], long> Needed,
        bool IsCoded,
        SlimSchema Schema);

    private sealed class Person
    {
        public string? Name;
        public Animal? Pet;
        public Animal? Any;
    }

    private sealed record Link(int Number, Link? Next);

    private abstract class Animal;

    private sealed class Cat : Animal;

    private sealed class Dog : Animal;

    private sealed class AfterRead
    {
        [OnDeserialized]
        private void Done(StreamingContext context) => _ = context;
    }

    private sealed class Around
    {
        [OnSerializing]
        private void Begin(StreamingContext context) => _ = context;

        [OnDeserialized]
        private void Done(StreamingContext context) => _ = context;
    }

    [Serializable]
    private sealed class Content : ISerializable
    {
        public Content()
        {
        }

        private Content(SerializationInfo info, StreamingContext context) => _ = (info, context);

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("x", 1);
    }

    private sealed class Box<T>(T value)
    {
        public T Value { get; } = value;
    }
}
