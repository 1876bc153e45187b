using System.Collections.Frozen;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Dynamic;
using Cluster.Slim.Layouts;
using Cluster.Slim.Tests.Security;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Messages built to be refused by one rule each, for rules that mutations of good messages would rarely
/// meet.</summary>
internal static class HostileCases
{
    private const int ManyKeys = 2500;
    private const int ListedMax = 1024;

    private static readonly byte[] Null = [0];

    public static IReadOnlyList<FuzzCase> All { get; } =
    [
        .. Limits(), .. Keys(), .. ListedEntries(), .. Nesting(), .. Descriptions(), .. Dimensions(), Unfinished(),
        FailingCodec(), NullableObject(), FailingResolver(),
    ];

    private static IEnumerable<FuzzCase> Limits()
    {
        object value = new object[] { "text", new FuzzTypes.Order(1), new FuzzTypes.Key("a", null) };
        yield return Limited(value, static limits => limits.MaxMessageBytes = 20);
        yield return Limited(value, static limits => limits.MaxGraphBytes = 100);
        yield return Limited(value, static limits => limits.MaxStringLength = 3);
        yield return Limited(value, static limits => limits.MaxTypeCount = 1);
        yield return Limited(value, static limits => limits.MaxTypeBytes = 70);
    }

    private static IEnumerable<FuzzCase> Keys()
    {
        var buckets = new Dictionary<int, int>(ManyKeys).EnsureCapacity(ManyKeys);
        yield return Of<Dictionary<int, int>>("colliding keys", After(new Dictionary<int, int>()).Number(ManyKeys)
            .Times(ManyKeys, (forge, i) => forge.Bytes(BitConverter.GetBytes(i * buckets)).Bytes(0, 0, 0, 0)));
        yield return Of<ImmutableHashSet<long>>("equal hashes", After(ImmutableHashSet<long>.Empty).Number(ManyKeys)
            .Times(ManyKeys, static (forge, i) => forge.Bytes(BitConverter.GetBytes(i * 0x1_0000_0001L))));
        yield return DoublingKey();
        yield return Twice<Hashtable>([]);
        yield return Twice(new ExpandoObject());
        yield return Twice(new StringDictionary());
        yield return Twice(new Dictionary<string, object?>());
        yield return Twice(new ConcurrentDictionary<string, object?>());
        yield return Of<BindingList<int>>(
            "switches of a list", After(new BindingList<int>(), dropped: 2).Bytes(byte.MaxValue, 0));
        yield return Twice(new SortedDictionary<string, object?>());
        yield return Twice(new SortedList<string, object?>());
        yield return Twice(new OrderedDictionary<string, object?>());
        yield return Twice(FrozenDictionary<string, object?>.Empty);
        yield return Twice(ImmutableDictionary<string, object?>.Empty);
        yield return Twice(ImmutableSortedDictionary<string, object?>.Empty);
        yield return NullKey(FrozenDictionary<string, object?>.Empty);
        yield return NullKey(ImmutableDictionary<string, object?>.Empty);
        yield return NullKey(ImmutableSortedDictionary<string, object?>.Empty);
        yield return Of<Hashtable>("comparer of a hash table", After<Hashtable>([], dropped: 2).Bytes(5, 0));
    }

    private static IEnumerable<FuzzCase> ListedEntries()
    {
        yield return Of<ExpandoObject>("members of a dynamic object", After(new ExpandoObject()).Number(ListedMax + 1)
            .Times(ListedMax + 1, static (forge, i) => forge.Text($"m{i}").Bytes(Null)));
        yield return Of<IOException>("data of an exception", After(new IOException()).Number(ListedMax + 1)
            .Times(ListedMax + 1, static (forge, i) => forge.Text($"d{i}").Bytes(Null)));
    }

    private static IEnumerable<FuzzCase> Nesting()
    {
        const byte SameType = (byte)ObjectTags.TypeTableFirst;
        yield return Of<ImmutableList<object>>("nested immutable lists", After(ImmutableList<object>.Empty)
            .Times(ObjectTags.HeadDepthMax + 1, static (forge, _) => forge.Number(1).Bytes(ObjectTags.NewTyped, SameType))
            .Number(0));
    }

    private static IEnumerable<FuzzCase> Descriptions()
    {
        const int Depth = 70;
        const byte IsValue = 1;
        const byte Place = 2;
        var known = typeof(FuzzTypes.Point).FullName + ", Cluster.Slim.Tests";

        // Name, traits, no base classes, no fields, no creation part, one step in the body.
        var deep = new Forge().Times(Depth, (forge, i) => forge.Name(i == 0 ? known : $"t{i}")
            .Bytes(IsValue, 0, 0, 0, 1, Place).Number(i < Depth - 1 ? ObjectTags.TypeTableFirst + (uint)i + 1 : 9));
        yield return Of<FuzzTypes.Point>("nested values", Forge.Message().Described(deep));
        var ring = new Forge().Name(known).Bytes(IsValue, 0, 0, 0, 1, Place, (byte)ObjectTags.TypeTableFirst);
        yield return Of<FuzzTypes.Point>("value in itself", Forge.Message().Described(ring));
        var nothing = new Forge().Name(known).Bytes(IsValue, 0, 0, 0, 1, 1, 0);
        yield return Of<FuzzTypes.Point>("value of nothing", Forge.Message().Described(nothing));
        var unused = new Forge().Name(known).Bytes(IsValue, 0, 0, 0, 1, Place, (byte)ObjectTags.TypeTableFirst - 1);
        yield return Of<FuzzTypes.Point>("type code not in use", Forge.Message().Described(unused));
        var twice = new Forge().Name(known).Bytes(IsValue, 0, 0, 0, 1, Place, (byte)ObjectTags.TypeTableFirst + 1)
            .Name(known).Bytes(IsValue, 0, 0, 0, 1, Place, 9);
        yield return Of<FuzzTypes.Point>("type described twice", Forge.Message().Described(twice));
    }

    private static IEnumerable<FuzzCase> Dimensions()
    {
        var grid = new SlimSerializer().Serialize(new byte[1, 1]);
        const int BodyBytes = 11;
        yield return Of<byte[,]>("dimensions that overflow", Forge.After(grid, BodyBytes)
            .Times(2, static (forge, _) => forge.Bytes(0, 0, 0, 0).Number(int.MaxValue)));
        yield return Of<byte[,]>("dimension out of range", Forge.After(grid, BodyBytes)
            .Times(2, static (forge, _) => forge.Bytes(1, 0, 0, 0).Number(int.MaxValue)));
    }

    // A set that is complete only after its owner, and whose item hashes by the owner.
    private static FuzzCase Unfinished()
    {
        FuzzTypes.Owner owner = new() { Name = "n" };
        owner.Items = [new FuzzTypes.Owned(owner)];
        return Of<FuzzTypes.Owner>(
            "immutable set of owned", Forge.After(UnprovenMessage.Of(new SlimSerializer(), owner)));
    }

    private static FuzzCase DoublingKey()
    {
        const byte ByReference = 5;
        FuzzTypes.Key key = new("leaf", null);
        for (var i = 0; i < 30; i++)
            key = new FuzzTypes.Key("k", key) { Inner = key };
        var message = new SlimSerializer().Serialize(
            new Dictionary<FuzzTypes.Key, int>(ReferenceEqualityComparer.Instance) { [key] = 1 });
        message[message.AsSpan().IndexOf(new byte[] { ByReference, 0, 1, ObjectTags.NewExact })] = 0;
        return Of<Dictionary<FuzzTypes.Key, int>>("doubling key", Forge.After(message));
    }

    private static FuzzCase NullableObject()
    {
        SlimSerializer slim = new(new SlimOptions { Limits = FuzzCorpus.Limits }.Allow<int?[]>());
        var message = Forge.Message().Described(
            new Forge().Name("System.Nullable`1[System.Int32]").Bytes(1, 0, 0, 0, 1, 2, 9)).Done();
        return Hostile("object of a nullable type", message, bytes => slim.Deserialize<object>(bytes));
    }

    private static FuzzCase FailingResolver()
    {
        SlimSerializer slim = new(new SlimOptions
        {
            Profile = SlimProfile.Trusted, Limits = FuzzCorpus.Limits,
            TypeResolver = static _ => throw new InvalidOperationException("resolver"),
        });
        var message = FuzzCorpus.NewSerializer(SlimProfile.Trusted, SlimSchema.Full)
            .Serialize<object>(new FuzzTypes.Stranger());
        return Hostile("resolver that fails", message, bytes => slim.Deserialize<object>(bytes));
    }

    private static FuzzCase FailingCodec()
    {
        SlimSerializer slim = new(new SlimOptions { Limits = FuzzCorpus.Limits }.AddCodec(new FuzzTypes.ParcelCodec()));
        var message = slim.Serialize(new FuzzTypes.Parcel { Content = "" });
        return Hostile("codec that fails", message, bytes => slim.Deserialize<FuzzTypes.Parcel>(bytes));
    }

    private static Forge After<T>(T empty, int dropped = 1) =>
        Forge.After(new SlimSerializer().Serialize(empty), dropped);

    private static FuzzCase Twice<T>(T empty) => Of<T>($"key twice in {typeof(T)}", After(empty).Number(2)
        .Times(2, static (forge, _) => KeyPlace<T>(forge).Text("k").Bytes(Null)));

    // Text in a place of any type names its type.
    private static Forge KeyPlace<T>(Forge forge) =>
        typeof(T) == typeof(Hashtable) ? forge.Bytes(ObjectTags.NewTyped, 2) : forge;

    private static FuzzCase NullKey<T>(T empty) =>
        Of<T>($"null key in {typeof(T)}", After(empty).Number(1).Bytes(Null).Bytes(Null));

    private static FuzzCase Of<T>(string name, Forge message)
    {
        SlimSerializer slim = new(new SlimOptions { Limits = FuzzCorpus.Limits });
        return Hostile(name, message.Done(), bytes => slim.Deserialize<T>(bytes));
    }

    private static FuzzCase Limited(object value, Action<SlimLimits> set)
    {
        SlimLimits limits = new() { MaxGraphBytes = FuzzCorpus.Limits.MaxGraphBytes };
        set(limits);
        var options = new SlimOptions().Allow<FuzzTypes.Order>().Allow<FuzzTypes.Key>();
        var message = new SlimSerializer(options).Serialize(value);
        options.Limits = limits;
        SlimSerializer slim = new(options);
        return Hostile("limits", message, bytes => slim.Deserialize<object>(bytes));
    }

    private static FuzzCase Hostile(string name, byte[] message, Action<byte[]> read) =>
        new("hostile: " + name, message, () => read) { IsHostile = true };
}
