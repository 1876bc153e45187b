using System.Linq.Expressions;

namespace Cluster.Slim.Tests.Fuzzing;

/// <summary>Messages of which one member is read, and the rest is skipped.</summary>
internal static class FuzzProjections
{
    public static IEnumerable<FuzzCase> All()
    {
        var slim = NewSerializer(FuzzCorpus.Limits);
        FuzzTypes.Node node = new() { Number = 1, Text = "node" };
        object[] values =
        [
            "text", new object[] { 1, "l", node, node }, new HashSet<string> { "f" }, new Dictionary<string, int>
            {
                ["r"] = 1,
            },
            new int[1, 2], new BitArray(9), typeof(int), new Version(1, 2), new int?[] { 1, null },
            new ArraySegment<int>([1, 2, 3], 1, 1), IPAddress.IPv6Loopback, ImmutableList.Create<object>(1, "l"),
            new IOException("m"), new List<FuzzTypes.Key> { new("a", 1) }, new FuzzTypes.Parcel { Content = node },
            new FuzzTypes.Nested { Held = new FuzzTypes.Holder { First = node } },
        ];
        foreach (var value in values)
        {
            var envelope = NewEnvelope(value);
            yield return Of($"text after {value.GetType()}", slim, envelope, static e => e.Tail);
            yield return Of($"rest after {value.GetType()}", slim, envelope, static e => e.Rest);
        }

        var way = NewEnvelope(node);
        way.Next = new Envelope { First = node, Any = new Way { Number = 6 }, Maybe = 5 };
        yield return Of("number on a way", slim, way, static e => e.Next!.Last);
        yield return Of("object on a way", slim, way, static e => e.Next!.Any);
        yield return Of("cast on a way", slim, way, static e => ((Way)e.Next!.Any!).Number);
        yield return Of("struct on a way", slim, way, static e => e.Next!.Place.Y);
        foreach (var hostile in Hostile(slim))
            yield return hostile;
    }

    private static IEnumerable<FuzzCase> Hostile(SlimSerializer slim)
    {
        FuzzTypes.Node node = new();
        yield return HostileOf(
            "object of another type on the way", slim, slim.Serialize(NewEnvelope(node)), static e => ((Way)e.Any!).Number);
        yield return HostileOf(
            "object from before on the way", slim, slim.Serialize(new Envelope { First = node, Any = node }),
            static e => ((Way)e.Any!).Number);
        yield return HostileOf(
            "long text", NewSerializer(new SlimLimits { MaxStringLength = 3 }), slim.Serialize(NewEnvelope("longer")),
            static e => e.Tail);
        yield return HostileOf(
            "codec that nobody has", NewSerializer(FuzzCorpus.Limits, knowsParcels: false),
            slim.Serialize(NewEnvelope(new FuzzTypes.Parcel())), static e => e.Tail);
        yield return HostileOf("root that is no object", slim, [0xB1, 0, 1], static e => e.Tail);
    }

    private static Envelope NewEnvelope(object any) => new()
    {
        Any = any, Maybe = 4, Place = new FuzzTypes.Point(1, 2, true), Last = 5, Rest = any, Tail = "t",
    };

    private static SlimSerializer NewSerializer(SlimLimits limits, bool knowsParcels = true)
    {
        var options = new SlimOptions { Limits = limits }.Allow<Envelope>().Allow<Way>()
            .Allow<FuzzTypes.Node>().Allow<HashSet<string>>().Allow<Dictionary<string, int>>().Allow<int[,]>()
            .Allow<int?[]>().Allow<ArraySegment<int>>().Allow<ImmutableList<object>>().Allow<IOException>()
            .Allow<List<FuzzTypes.Key>>().Allow<FuzzTypes.Nested>();
        if (knowsParcels)
            options.AddCodec(new FuzzTypes.ParcelCodec());
        return new SlimSerializer(options);
    }

    private static FuzzCase Of<T>(
        string name, SlimSerializer slim, Envelope value, Expression<Func<Envelope, T>> member)
    {
        var projection = slim.CreateProjection(member);
        return new FuzzCase("projection: " + name, slim.Serialize(value), () => bytes => projection.Read(bytes))
        {
            IsSwept = true,
        };
    }

    private static FuzzCase HostileOf<T>(
        string name, SlimSerializer slim, byte[] message, Expression<Func<Envelope, T>> member)
    {
        var projection = slim.CreateProjection(member);
        return new FuzzCase("hostile projection: " + name, message, () => bytes => projection.Read(bytes))
        {
            IsHostile = true,
        };
    }

    public sealed class Way
    {
        public int Number;
    }

    public sealed class Envelope
    {
        public FuzzTypes.Node? First;
        public object? Any;
        public int? Maybe;
        public FuzzTypes.Point Place;
        public Envelope? Next;
        public int Last;
        public object? Rest;
        public string? Tail;
    }
}
