using System.Collections.Specialized;
using System.Dynamic;
using Cluster.Slim.Types;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Graphs that writers refuse, one for each rule that no message can break.</summary>
internal static class RefusedWrites
{
    private const int ListedMax = 1024;

    public static readonly IReadOnlyList<(string Name, Action Write)> All =
    [
        .. RefusedCode.All(), .. RefusedFramework.All.Select(static r => Of(r.Name, r.Value, r.Allowed)),
        Of("unproven set", Owned()),
        Of("stranger", new FuzzTypes.Stranger()),
        Of("stream", new MemoryStream()),
        Of("address", new FuzzTypes.Holder { Address = 5 }, typeof(FuzzTypes.Holder)),
        Of("lazy without value", new Lazy<string>(static () => "later")),
        Of("own comparer", new HashSet<string>(new OwnComparer())),
        Of("own hash table", new Hashtable(new OwnComparer())),
        Of("own encoding", Encoding.GetEncoding(
            "utf-8", new EncoderReplacementFallback("?"), DecoderFallback.ExceptionFallback)),
        Of("several methods", (Func<int, int>)FuzzCallbacks.Methods.Twice + FuzzCallbacks.Methods.Twice),
        Of("closure", Closure(1)),
        Of("method of nobody", new Func<string, string>(string.Intern)),
        Of("made equality", EqualityComparer<string>.Create(static (x, y) => x == y)),
        Of("made order", Comparer<string>.Create(string.CompareOrdinal)),
        Of("interface as type", typeof(IDisposable), typeof(Type)),
        Of("view of a dictionary", new OrderedDictionary { ["a"] = 1 }.AsReadOnly()),
        Of("listed entries", Listed()),
        Of("own culture", OwnCulture(), typeof(CultureInfo)),
        Of("value comparer", ImmutableDictionary.Create<string, string>(null, new OwnComparer())),
        Of("sorted value comparer", ImmutableSortedDictionary.Create<string, string>(null, new OwnComparer())),
        Of("dynamic members", WithMembers()),
        Of("exception data", WithData(ListedMax + 1, static i => $"k{i}")),
        Of("nested immutables", Nested()),
        Of("immutable ring", Ring()),
        Of("canonical", new Dictionary<FuzzTypes.Key, int> { [new("a", null)] = 1, [new("b", null)] = 2 }, configure:
            static options => options.Canonical = true),
        Of("generic nesting", Generic(20)),
        Of("text", "longer than ten", configure: static options => options.Limits.MaxStringLength = 10),
        Of("message", new byte[5000], configure: static options => options.Limits.MaxMessageBytes = 100),
        Of("types", TwoTypes(), configure: static options => options.Limits.MaxTypeCount = 1),
        Of("type bytes", TwoTypes(), configure: static options => options.Limits.MaxTypeBytes = 70),
    ];

    private static (string, Action) Of(
        string name, object value, Type? allowed = null, Action<SlimOptions>? configure = null)
    {
        var options = new SlimOptions().Allow<FuzzTypes.Order>().Allow<FuzzTypes.Key>();
        options.AllowMethodsOf(typeof(FuzzCallbacks.Methods));
        configure?.Invoke(options);
        if (value is not FuzzTypes.Stranger)
            options.Allow(allowed ?? FrameworkForms.CarriedTypeOf(value.GetType()));
        SlimSerializer slim = new(options);
        return (name, () => slim.Serialize(value));
    }

    // An item that hashes by its owner, which a reader completes later.
    private static FuzzTypes.Owner Owned()
    {
        FuzzTypes.Owner owner = new() { Name = "n" };
        owner.Items = [new FuzzTypes.Owned(owner)];
        return owner;
    }

    private static Func<int, int> Closure(int added) => value => value + added;

    private static ListDictionary Listed()
    {
        ListDictionary entries = [];
        for (var i = 0; i <= ListedMax; i++)
            entries.Add($"k{i}", null);
        return entries;
    }

    private static CultureInfo OwnCulture()
    {
        CultureInfo culture = new("de-DE");
        culture.NumberFormat.NumberDecimalSeparator = "~";
        return culture;
    }

    private static object[] TwoTypes() => [new FuzzTypes.Order(1), new FuzzTypes.Key("a", null)];

    private static ExpandoObject WithMembers()
    {
        ExpandoObject value = new();
        for (var i = 0; i <= ListedMax; i++)
            value.TryAdd($"m{i}", null);
        return value;
    }

    private static IOException WithData(int count, Func<int, object> key)
    {
        IOException error = new();
        for (var i = 0; i < count; i++)
            error.Data[key(i)] = null;
        return error;
    }

    private static ImmutableList<object> Nested()
    {
        ImmutableList<object> list = [];
        for (var i = 0; i < 500; i++)
            list = [list];
        return list;
    }

    private static ImmutableList<object> Ring()
    {
        var inner = new object[1];
        ImmutableList<object> list = [inner];
        inner[0] = list;
        return list;
    }

    private static object Generic(int depth)
    {
        var type = typeof(int);
        for (var i = 0; i < depth; i++)
            type = typeof(List<>).MakeGenericType(type);
        return Activator.CreateInstance(type)!;
    }

    private sealed class OwnComparer : IEqualityComparer<string>, IEqualityComparer
    {
        public bool Equals(string? x, string? y) => x == y;

        public int GetHashCode(string obj) => 1;

        bool IEqualityComparer.Equals(object? x, object? y) => x == y;

        int IEqualityComparer.GetHashCode(object obj) => 1;
    }
}
