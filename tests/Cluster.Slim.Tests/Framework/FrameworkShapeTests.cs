using System.Collections.ObjectModel;
using System.Data.SqlTypes;
using System.Runtime.Intrinsics;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Xml.Linq;
using Cluster.Slim.Tests.Matrix;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Framework;

/// <summary>Framework types in all the places that values have: every way in and out, fields, keys, boxes,
/// cycles.</summary>
[Trait("Case", "repair-C5")]
public sealed class FrameworkShapeTests
{
    private static readonly object[] Samples = [.. FrameworkSamples.Small];

    public static TheoryData<int, string> Values
    {
        get
        {
            TheoryData<int, string> values = [];
            foreach ((var index, var value) in Samples.Index())
                values.Add(index, value.GetType().ToString());
            return values;
        }
    }

    [Theory]
    [MemberData(nameof(Values))]
    public void Value_InEverySchemaSessionAndPlace_ComesBack(int index, string type)
    {
        var value = Samples[index];
        Assert.Equal(type, value.GetType().ToString());
        RoundTripMatrix.Check<object>(
            value, back => FrameworkEquality.Check(value, back), options => AllowAll(options));
    }

    [Theory]
    [InlineData(SlimProfile.Contract)]
    [InlineData(SlimProfile.Trusted)]
    [InlineData(SlimProfile.InProcess)]
    public void Values_SharedBoxedAndInCycles_StayWhoTheyAre(SlimProfile profile)
    {
        SlimSerializer slim = new(AllowAll(new SlimOptions { Profile = profile })
            .Allow<Holder>().AllowCallbacks<Carrier>());
        Holder holder = new() { Items = Samples };
        holder.Self = holder;
        holder.Again = [.. Samples];
        holder.Pair = new DictionaryEntry(holder, Samples);
        holder.Boxed = holder.Pair;
        holder.Carrier = new Carrier(Samples[0], holder);
        var back = slim.DeepClone(holder);
        Assert.Same(back, back.Self);
        Assert.Same(back, back.Pair.Key);
        Assert.Same(back.Items, back.Pair.Value);
        Assert.Same(back, ((DictionaryEntry)back.Boxed!).Key);
        Assert.Same(back, back.Carrier!.Owner);
        for (var i = 0; i < Samples.Length; i++)
        {
            Assert.Same(back.Items[i], back.Again[i]);
            FrameworkEquality.Check(Samples[i], back.Items[i]);
        }

        Assert.Same(back.Items[0], back.Carrier.Value);
    }

    [Fact]
    public void Values_AsKeys_AreFound()
    {
        CheckKey(new DictionaryEntry("a", 1));
        CheckKey(IPNetwork.Parse("10.0.0.0/8"));
        CheckKey(new DnsEndPoint("example.org", 80));
        CheckKey(HttpMethod.Get);
        CheckKey(new SqlInt32(5));
        CheckKey(new SqlString("text", 1033));
        CheckKey(SqlDecimal.Parse("1.50"));
        CheckKey(new SqlBinary([1, 2]));
        CheckKey(Vector128.Create(1, 2, 3, 4));
        CheckKey(new Vector<int>(5));
        CheckKey((XName)"{urn:a}b");
        CheckKey(FrameworkSamples.NewCookie("a"));
    }

    [Fact]
    public void Key_ThatIsAnEntryOfSomethingTooDeep_IsRefusedBeforeItIsHashed()
    {
        Dictionary<DictionaryEntry, int> map = new() { [new DictionaryEntry(new Deep(70), 1)] = 1 };
        SlimSerializer slim = new(new SlimOptions { Limits = { MaxKeyDepth = 64 } }.Allow<Deep>());
        Assert.ThrowsAny<SlimException>(() => slim.Deserialize<Dictionary<DictionaryEntry, int>>(slim.Serialize(map)));
    }

    [Fact]
    public void ReadOnlyViews_ShareWhatTheyShow()
    {
        ObservableCollection<int> items = [1, 2];
        HashSet<string> set = new(StringComparer.OrdinalIgnoreCase) { "a" };
        (ObservableCollection<int> Items, ReadOnlyObservableCollection<int> View, ISet<string> Set, ReadOnlySet<string> Shown)
            source = (items, new(items), set, new(set));
        var back = new SlimSerializer().DeepClone(source);
        var changes = 0;
        ((System.Collections.Specialized.INotifyCollectionChanged)back.View).CollectionChanged += (_, _) => changes++;
        back.Items.Add(3);
        back.Set.Add("b");
        Assert.Equal([1, 2, 3], back.View);
        Assert.Equal(1, changes);
        Assert.Contains("B", back.Shown as IEnumerable<string>);
    }

    [Fact]
    public void Interfaces_OfTheFramework_AdmitReadOnlyViews()
    {
        SlimSerializer slim = new();
        Assert.IsType<ReadOnlySet<int>>(slim.DeepClone<IReadOnlySet<int>>(new ReadOnlySet<int>(new HashSet<int> { 1 })));
        Assert.IsType<ReadOnlyObservableCollection<int>>(
            slim.DeepClone<IReadOnlyList<int>>(new ReadOnlyObservableCollection<int>([1])));
    }

    [Fact]
    public void Nodes_InPlacesOfTheirBaseClasses_ComeBack()
    {
        SlimSerializer slim = new();
        Assert.IsType<JsonObject>(slim.DeepClone<JsonNode>(new JsonObject { ["a"] = JsonValue.Create(1.5m) }));
        Assert.Equal(5, slim.DeepClone<JsonNode>(JsonValue.Create(5)).GetValue<int>());
        Assert.IsType<XElement>(slim.DeepClone<XNode>(new XElement("a")));
        Assert.IsType<XDocument>(slim.DeepClone<XContainer>(new XDocument()));
        Assert.IsType<DnsEndPoint>(slim.DeepClone<EndPoint>(new DnsEndPoint("a", 1)));
    }

    [Fact]
    public void Node_OfEitherCase_StaysSo_AndRefusesTwins()
    {
        var node = JsonNode.Parse("{\"a\": 1}", new JsonNodeOptions { PropertyNameCaseInsensitive = true })!.AsObject();
        SlimSerializer slim = new();
        Assert.Equal(1, (int)slim.DeepClone(node)["A"]!);
        var message = slim.Serialize(JsonNode.Parse(
            "{\"a\": 1, \"b\": 2}", new JsonNodeOptions { PropertyNameCaseInsensitive = true })!.AsObject());
        message[message.AsSpan().LastIndexOf((byte)'b')] = (byte)'A';
        Assert.Throws<SlimMalformedException>(() => slim.Deserialize<JsonObject>(message));
        Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize(JsonNode.Parse(
            "{\"a\": 1, \"A\": 2}", new JsonNodeOptions { PropertyNameCaseInsensitive = true })!.AsObject()));
    }

    [Fact]
    public void Xml_KeepsWhatPrintingLoses()
    {
        XElement[] elements =
        [
            new("a", "line\r\nnext\tend\r"), new("a", new XAttribute("x", "a\r\n\tb")), new("a", new XCData("<x>&")), new("a", "<x>&&"),
            new("a", "  "), new("a", ""), new((XNamespace)"urn:a" + "b", new XAttribute(XNamespace.Xmlns + "p", "urn:a")),
            new("a", new XComment("c"), new XProcessingInstruction("t", "d"), new XText("a"), new XText("b")),
        ];
        foreach (var element in elements)
        {
            var back = new SlimSerializer().DeepClone(element);
            Assert.True(XNode.DeepEquals(element, back), $"{element} is not {back}");
        }
    }

    [Fact]
    public void Json_KeepsItsTextToTheLetter()
    {
        var element = JsonDocument.Parse("""{"a" : 1.50, "b":[ ] , "漢":"\u0041"}""").RootElement;
        var back = new SlimSerializer().DeepClone(element);
        Assert.Equal(element.GetRawText(), back.GetRawText());
        Assert.Equal(JsonValueKind.Undefined, new SlimSerializer().DeepClone(default(JsonElement)).ValueKind);
    }

    private static void CheckKey<T>(T key)
        where T : notnull
    {
        SlimSerializer slim = new(AllowAll(new SlimOptions()).Allow<T>());
        var back = slim.DeepClone(new Dictionary<T, int> { [key] = 5 });
        Assert.Equal(5, back[key]);
        Assert.Contains(key, slim.DeepClone(new HashSet<object> { key }));
    }

    private static SlimOptions AllowAll(SlimOptions options)
    {
        foreach (var type in Samples.Select(static s => FrameworkForms.CarriedTypeOf(s.GetType())).Distinct())
            options.Allow(type);
        return options;
    }

    private sealed class Holder
    {
        public object[] Items = [];
        public object[] Again = [];
        public Holder? Self;
        public DictionaryEntry Pair;
        public object? Boxed;
        public Carrier? Carrier;
    }

    private sealed record Deep
    {
        public Deep(int levels) => Inner = levels == 0 ? null : new Deep(levels - 1);

        public Deep? Inner { get; }
    }

    [Serializable]
    private sealed class Carrier : ISerializable
    {
        public Carrier(object value, object owner) => (Value, Owner) = (value, owner);

        private Carrier(SerializationInfo info, StreamingContext context) =>
            (Value, Owner) = (info.GetValue("v", typeof(object))!, info.GetValue("o", typeof(object))!);

        public object Value { get; }

        public object Owner { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("v", Value);
            info.AddValue("o", Owner);
        }
    }
}
