using System.Collections.Specialized;
using System.ComponentModel;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests.Codecs;

/// <summary>Acceptance case G: collections without type arguments, and bindable lists.</summary>
[Trait("Case", "slim-G")]
public sealed class UntypedCollectionTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void Dictionaries_ComeBackWithEveryEntryInOrder()
    {
        CheckMap(new ListDictionary { ["b"] = 1, [2] = "two", ["n"] = null });
        CheckMap(new OrderedDictionary { ["b"] = 1, ["a"] = "two", [3.5] = null });
        CheckMap(new SortedList { ["b"] = 1, ["a"] = "two", ["n"] = null });
        CheckMap(new Hashtable { ["b"] = 1, [2] = "two", ["n"] = null });
        CheckMap(new Hashtable(100, 0.1f, StringComparer.OrdinalIgnoreCase) { ["b"] = 1, ["n"] = null });
        HybridDictionary large = [];
        for (var i = 0; i < 40; i++)
            large[i] = "v" + i;
        CheckMap(large);
        CheckMap(new HybridDictionary { ["a"] = 1 });
    }

    [Fact]
    public void Comparers_WellKnown_AreUsedAfterwards()
    {
        Assert.Equal(1, _slim.DeepClone(new Hashtable(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 })["A"]);
        Assert.Equal(1, _slim.DeepClone(new OrderedDictionary(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 })["A"]);
        Assert.Equal(1, _slim.DeepClone(new ListDictionary(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 })["A"]);
        Assert.Equal(1, _slim.DeepClone(new SortedList(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 })["A"]);
        Assert.Equal(1, _slim.DeepClone(new HybridDictionary(true) { ["a"] = 1 })["A"]);
        Assert.Null(_slim.DeepClone(new HybridDictionary(false) { ["a"] = 1 })["A"]);
        HybridDictionary large = new(true);
        for (var i = 0; i < 40; i++)
            large["k" + i] = i;
        Assert.Equal(17, _slim.DeepClone(large)["K17"]);
        SortedList invariant = new(CaseInsensitiveComparer.DefaultInvariant) { ["a"] = 1 };
        Assert.Equal(1, _slim.DeepClone(invariant)["A"]);
        ListDictionary ordered = new(Comparer.DefaultInvariant) { ["a"] = 1 };
        Assert.Equal(1, _slim.DeepClone(ordered)["a"]);
        Hashtable turkish = new(StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), CompareOptions.IgnoreCase));
        turkish["ı"] = 1;
        Assert.Equal(1, _slim.DeepClone(turkish)["I"]);
    }

    [Fact]
    public void NameValueCollection_KeepsNamesValuesAndNulls()
    {
        NameValueCollection names = new() { { "b", "1" }, { "a", "2" }, { "B", "3" }, { null, "4" }, { "none", null } };
        RoundTripMatrix.Check(names, back =>
        {
            Assert.Equal((string?[])["b", "a", null, "none"], back.AllKeys.AsEnumerable());
            Assert.Equal(["1", "3"], back.GetValues("b")!);
            Assert.Equal("1,3", back["B"]);
            Assert.Equal("4", back[null]);
            Assert.Null(back.GetValues("none"));
        });
        NameValueCollection exact = new(StringComparer.Ordinal) { { "a", "1" }, { "A", "2" } };
        Assert.Equal("1", _slim.DeepClone(exact)["a"]);
        Assert.Equal("x", _slim.DeepClone(new Settings { Extra = "x" }).Extra);
    }

    [Fact]
    public void StringDictionary_IgnoresCaseAsBefore() => RoundTripMatrix.Check(
        new StringDictionary { ["Key"] = "v", ["other"] = null },
        back =>
        {
            Assert.Equal("v", back["KEY"]);
            Assert.True(back.ContainsKey("Other"));
            Assert.Null(back["other"]);
        });

    [Fact]
    public void BindingList_KeepsSwitches_AndDropsSubscribers()
    {
        BindingList<string> list = new() { AllowEdit = false, AllowNew = true, RaiseListChangedEvents = false };
        list.Add("a");
        list.ListChanged += (_, _) => throw new InvalidOperationException();
        RoundTripMatrix.Check(list, back =>
        {
            Assert.Equal(["a"], back);
            Assert.Equal(
                (false, true, true, false),
                (back.AllowEdit, back.AllowNew, back.AllowRemove, back.RaiseListChangedEvents));
            back.RaiseListChangedEvents = true;
            back.Add("b");
        });
        var numbered = _slim.DeepClone(new Numbered { AllowRemove = false, Number = 3 });
        Assert.Equal((false, 3), (numbered.AllowRemove, numbered.Number));
    }

    [Fact]
    public void UntypedInterfaces_AdmitTheCollections()
    {
        var back = _slim.DeepClone(new Places
        {
            Map = new ListDictionary { ["a"] = 1 }, List = new ArrayList { 1 }, Any = new StringCollection { "x" },
        });
        Assert.IsType<ListDictionary>(back.Map);
        Assert.IsType<ArrayList>(back.List);
        Assert.IsType<StringCollection>(back.Any);
    }

    [Fact]
    public void Wrappers_AndReadOnlyViews_AreRefused()
    {
        object[] wrappers =
        [
            Hashtable.Synchronized([]), ArrayList.ReadOnly(new ArrayList()), ArrayList.FixedSize(new ArrayList()),
            SortedList.Synchronized([]), Queue.Synchronized(new Queue()), new OrderedDictionary().AsReadOnly(),
        ];
        foreach (var wrapper in wrappers)
        {
            SlimSerializer slim = new(new SlimOptions().Allow<OrderedDictionary>());
            Assert.Throws<SlimTypeNotSupportedException>(() => slim.Serialize<object>(wrapper));
        }
    }

    [Fact]
    public void ListedDictionaries_BeyondTheirLimit_AreRefusedOnWrite()
    {
        ListDictionary large = [];
        for (var i = 0; i < 1_025; i++)
            large.Add(i, i);
        Assert.Throws<SlimLimitException>(() => _slim.Serialize(large));
    }

    [Fact]
    public void RepeatedKeys_AreRefused()
    {
        CheckRepeated(new ListDictionary { ["aa"] = 1, ["bb"] = 2 });
        CheckRepeated(new SortedList { ["aa"] = 1, ["bb"] = 2 });
        CheckRepeated(new Hashtable { ["aa"] = 1, ["bb"] = 2 });
        CheckRepeated(new OrderedDictionary { ["aa"] = 1, ["bb"] = 2 });
        CheckRepeated(new HybridDictionary { ["aa"] = 1, ["bb"] = 2 });
        CheckRepeated(new StringDictionary { ["aa"] = "1", ["bb"] = "2" });
    }

    [Fact]
    public void Canonical_DictionariesOfText_AreWrittenByKey()
    {
        SlimSerializer canonical = new(new SlimOptions { Canonical = true });
        StringDictionary one = new() { ["a"] = "1", ["b"] = "2" };
        StringDictionary other = new() { ["b"] = "2", ["a"] = "1" };
        Assert.Equal(canonical.Serialize(one), canonical.Serialize(other));
        Assert.Throws<SlimTypeNotSupportedException>(
            () => canonical.Serialize(new HybridDictionary { ["a"] = 1, ["b"] = 2 }));
    }

    private void CheckRepeated<T>(T source)
    {
        var message = _slim.Serialize(source);
        var position = message.AsSpan().IndexOf("bb"u8);
        "aa"u8.CopyTo(message.AsSpan(position));
        Assert.Contains("twice", Assert.Throws<SlimMalformedException>(
            () => _slim.Deserialize<T>(message)).Message, StringComparison.Ordinal);
    }

    private static void CheckMap<T>(T source)
        where T : IDictionary
    {
        DictionaryEntry[] expected = [.. source.Cast<DictionaryEntry>()];
        RoundTripMatrix.Check(source, back =>
        {
            Assert.Equal(expected.Length, back.Count);
            Assert.All(expected, entry => Assert.Equal(entry.Value, back[entry.Key]));
            if (source is not Hashtable)
                Assert.Equal(expected, back.Cast<DictionaryEntry>());
        });
    }

    private sealed class Settings : NameValueCollection
    {
        public string? Extra;
    }

    private sealed class Numbered : BindingList<int>
    {
        public int Number;
    }

    private sealed class Places
    {
        public IDictionary? Map;
        public IList? List;
        public IEnumerable? Any;
    }
}
