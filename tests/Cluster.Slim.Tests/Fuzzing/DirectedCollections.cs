using System.Collections.ObjectModel;
using System.Dynamic;
using Cluster.Slim.Hosting;
using Cluster.Slim.Keys;
using Cluster.Slim.Layouts;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Directed cases about collections and their keys, about messages of several roots and sessions.</summary>
internal static class DirectedCollections
{
    private const int KeyDepth = 300;
    private const int MembersMax = 1024;

    public static IEnumerable<DirectedCase> All() => [.. Items(), .. Keys(), .. Messages()];

    private static IEnumerable<DirectedCase> Items()
    {
        yield return Twice<HashSet<int>>("HashSetCodec.cs Fill 1", []);
        yield return Twice<SortedSet<int>>("SortedSetCodec.cs Fill 1", []);
        yield return Twice("ImmutableHashSetCodec.cs ReadBuilder 1", ImmutableHashSet<int>.Empty);
        yield return Twice("ImmutableSortedSetCodec.cs ReadBuilder 1", ImmutableSortedSet<int>.Empty);
        yield return DirectedCase.Ended(
            "Comparers.cs Settle 1", "stands where a", ImmutableHashSet<string>.Empty, 3,
            new Forge().Bytes(ComparerCodes.Own, ObjectTags.Null).Number(0));
        yield return DirectedCase.Ended(
            "ReadOnlyViewSerializer.cs ReadBody 1", "behind a read-only one is null",
            new ReadOnlyCollection<int>(new List<int>()), 3, new Forge().Bytes(ObjectTags.Null));
        yield return DirectedCase.Ended(
            "KeyLedger.cs CheckSearched 1", "over the limit SlimLimits.MaxSearchedEntries", new ExpandoObject(), 1,
            new Forge().Number(MembersMax + 1)
                .Times(MembersMax + 1, static (forge, i) => forge.Text($"m{i}").Bytes(ObjectTags.Null)));
    }

    private static IEnumerable<DirectedCase> Keys()
    {
        FuzzTypes.Node node = new() { Text = "a" };
        FuzzTypes.ByName nameless = [node];
        node.Text = null;
        yield return Unproven("KeyedCollectionSerializer.cs Complete 1", "A key is null", nameless);
        node = new FuzzTypes.Node { Text = "b" };
        FuzzTypes.ByName twins = [new() { Text = "a" }, node];
        node.Text = "a";
        yield return Unproven("UserFill.cs Run 1", "refused its own content", twins);

        FuzzTypes.Key ring = new("ring", null);
        ring.Inner = ring;
        yield return Keyed("KeyGraph.cs ThrowContainsItself 2", "contains itself", ring);
        yield return Clone("KeyGraph.cs ThrowContainsItself 1", "contains itself", new PriorityQueue<int, object>(
            [(1, ring)], Comparer<object>.Default));
        FuzzTypes.Key deep = new("leaf", null);
        for (var i = 0; i < KeyDepth; i++)
            deep = new FuzzTypes.Key("k", null) { Inner = deep };
        yield return Keyed("KeyGraph.cs ThrowTooDeep 1", "over the limit SlimLimits.MaxKeyDepth = 256", deep);

        yield return DirectedCase.Ended(
            "DictionarySerializer.cs Fill 1", "A key is null", new Dictionary<string, string>(), 1,
            new Forge().Number(1).Bytes(ObjectTags.Null, ObjectTags.Null));
        yield return DirectedCase.Ended(
            "DictionarySerializer.cs Fill 2", "A key occurs twice", new Dictionary<string, string>(), 1,
            new Forge().Number(2).Times(2, static (forge, _) => forge.Text("k").Bytes(ObjectTags.Null)));

        FuzzTypes.Touchy touchy = new();
        HashSet<FuzzTypes.Touchy> set = [touchy];
        touchy.Fails = true;
        yield return Unproven("KeyRules.cs Build 1", "Hashing or comparing a key", set);
        Sulky[] many = [.. Enumerable.Range(0, 300).Select(static _ => new Sulky())];
        HashSet<Sulky> all = [.. many];
        many[^1].Fails = true;
        SlimSerializer frugal = new(new SlimOptions { Limits = { MaxKeyWorkPerByte = 0 } });
        yield return new DirectedCase(
            "WrittenKeys.cs Run 1", "hashing or comparing one of its keys failed", () => frugal.Serialize(all));
        FuzzTypes.Proprietor proprietor = new() { Name = "n" };
        proprietor.Items = [new FuzzTypes.Property(proprietor)];
        yield return Clone("KeyProof.cs Run 1", "a reader cannot build it", proprietor);
    }

    private static IEnumerable<DirectedCase> Messages()
    {
        SlimSerializer slim = new(new SlimOptions().Allow<FuzzTypes.Node>());
        ArrayBufferWriter<byte> output = new();
        FuzzTypes.Node node = new();
        slim.SerializeRoots(output, node, node);
        var roots = output.WrittenSpan.ToArray();
        yield return new DirectedCase("Root.cs ReadObject 3", "is not a System.Version", () =>
            slim.DeserializeRoots(new ReadOnlySequence<byte>(roots), [typeof(FuzzTypes.Node), typeof(Version)]));
        yield return new DirectedCase("SlimMessageReader.cs Complete 1", "follow the last root", () =>
        {
            SlimMessageReader reader = new(slim);
            reader.Begin(new ReadOnlySequence<byte>(roots));
            reader.Read<FuzzTypes.Node>();
            reader.Complete();
        });

        SlimSerializer small = new(new SlimOptions { Limits = { MaxGraphBytes = 1000 } });
        yield return new DirectedCase("WriteDoubts.cs CheckTogether 1", "SlimLimits.MaxGraphBytes", () =>
            small.SerializeRoots(output, new byte[700], new byte[700]));

        byte[] inside = [ObjectTags.HeaderVersion, ObjectTags.FlagSession, 0, 0, ObjectTags.NewTyped, 0];
        yield return new DirectedCase("ReaderTypes.cs Find 1", "cannot have one there", () =>
        {
            using var session = slim.OpenReaderSession();
            session.Deserialize<object>(inside);
        });
        byte[] late = [ObjectTags.HeaderVersion, ObjectTags.FlagSession, 7, 0, ObjectTags.Null];
        yield return new DirectedCase("SlimReaderSession.cs ThrowIfPoisoned 1", "out of step", () =>
        {
            using var session = slim.OpenReaderSession();
            Assert.ThrowsAny<SlimException>(() => session.Deserialize<object>(late));
            session.Deserialize<object>(late);
        });
    }

    private static DirectedCase Twice<T>(string rule, T empty) => DirectedCase.Ended(
        rule, "An item occurs twice in a set", empty, 1, new Forge().Number(2).Bytes(1, 0, 0, 0, 1, 0, 0, 0));

    private static DirectedCase Clone<T>(string rule, string says, T value)
        where T : class
    {
        SlimSerializer slim = new();
        return new DirectedCase(rule, says, () => slim.DeepClone(value));
    }

    // Writers refuse what their readers would.
    private static DirectedCase Unproven<T>(string rule, string says, T value)
    {
        SlimSerializer slim = new();
        return new DirectedCase(rule, says, () => slim.Deserialize<T>(Security.UnprovenMessage.Of(slim, value)));
    }

    // Written with a comparer that does not look into the key, which the message then takes away.
    private static DirectedCase Keyed(string rule, string says, FuzzTypes.Key key)
    {
        var message = new SlimSerializer().Serialize(
            new Dictionary<FuzzTypes.Key, int>(ReferenceEqualityComparer.Instance) { [key] = 1 });
        byte[] written = [ComparerCodes.ByReference, ObjectTags.Null, 1, ObjectTags.NewExact];
        byte[] forged = [ComparerCodes.Default, ObjectTags.Null, 1, ObjectTags.NewExact];
        return DirectedCase.Read<Dictionary<FuzzTypes.Key, int>>(
            rule, says, Forge.After(message).Replace(written, forged));
    }

    /// <summary>A key whose hash function may fail.</summary>
    private sealed class Sulky
    {
        public bool Fails;

        public override bool Equals(object? obj) => ReferenceEquals(this, obj);

        public override int GetHashCode() => Fails ? throw new InvalidOperationException("sulky") : 1;
    }
}
